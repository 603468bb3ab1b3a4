import * as z from 'zod/mini';
import { WebhookSchema } from '../endpoints/schema.ts';

const described = (description: string) => z.meta({ description });

export const OneWebhook = z.object({ webhook: WebhookSchema });

export const WebhookList = z.object({ webhooks: z.array(WebhookSchema) });

const secret = z
  .string()
  .check(described('The signing secret (`whsec_...`), as Standard Webhooks defines it. Shown only once.'));

export const CreatedWebhook = z.object({ webhook: WebhookSchema, secret });

export const RotatedSecret = z.object({
  secret,
  formerSecretExpiresAt: z.iso
    .datetime()
    .check(described('Until then deliveries are signed with the former secret as well.')),
});

export const RemovedWebhook = z.object({ success: z.literal(true), deleted: z.string() });

export const RequestedTest = z.object({
  eventId: z.string().check(described('The event `webhook.test`, which only this webhook receives.')),
  deliveryId: z.string(),
});

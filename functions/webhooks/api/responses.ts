import * as z from 'zod/mini';
import { WebhookSchema } from '../endpoints/schema.ts';

export const described = (description: string) => z.meta({ description });

export const OneWebhook = z.object({ webhook: WebhookSchema });

export const secret = z
  .string()
  .check(described('The signing secret (`whsec_...`), as Standard Webhooks defines it. Shown only once.'));

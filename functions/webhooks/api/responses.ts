import * as z from 'zod/mini';
import { described } from '../../shared/fields/described.ts';
import { WebhookSchema } from '../endpoints/schema.ts';

export const OneWebhook = z.object({ webhook: WebhookSchema });

export const secret = z
  .string()
  .check(described('The signing secret (`whsec_...`), as Standard Webhooks defines it. Shown only once.'));

import * as z from 'zod/mini';
import { defineEvents } from '../shared/contract/events.ts';
import { WebhookSchema } from './endpoints/schema.ts';

const data = z.object({ webhook: WebhookSchema });

export const events = defineEvents({
  'webhook.disabled': {
    summary: 'A webhook was disabled, because it answered 410 or failed for five days.',
    data,
  },
  'webhook.test': { summary: 'A test of a webhook was requested. Only this webhook receives it.', data },
});

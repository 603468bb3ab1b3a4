import { defineEvents, exampleTime } from '../shared/contract/events.ts';
import { WebhookSchema } from './endpoints/schema.ts';

export const events = defineEvents({
  'webhook.disabled': {
    summary: 'A webhook was disabled, because it answered 410 or failed for five days.',
    data: WebhookSchema,
    example: { active: false, disabled: { reason: 'failing', at: exampleTime }, failingSince: exampleTime },
  },
  'webhook.test': {
    summary: 'A test of a webhook was requested, which only this webhook receives.',
    data: WebhookSchema,
    example: { active: true },
  },
});

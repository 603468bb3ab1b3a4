import * as z from 'zod/mini';
import { linesField } from '../../shared/fields/text.ts';
import * as env from '../../shared/runtime/env.ts';
import { parseWebhookUrl } from '../endpoints/address.ts';
import { isEventPattern } from '../events/event-types.ts';

const maxTypes = 50;
const maxDescription = 500;

export const WebhookPath = z.object({
  id: z
    .string()
    .check(z.minLength(1), z.maxLength(128), z.meta({ description: 'The `_id` of the webhook.' })),
});

const url = z.string().check(
  z.check<string>(({ value, issues }) => {
    const parsed = parseWebhookUrl(value, { allowLoopback: env.webhookLoopback() });
    if ('problem' in parsed) issues.push({ code: 'custom', input: value, message: parsed.problem });
  }),
  z.meta({
    format: 'uri',
    maxLength: 2_048,
    description:
      'Where events are delivered: an https URL with a public host, on port 443 or one from 1024 on. No user name, no fragment.',
    examples: ['https://app.example/webhooks'],
  }),
);

/** The message names the first pattern that is none: what a caller sent is cut and quoted as JSON. */
const knownTypes = z.check<string[]>(({ value, issues }) => {
  const unknown = value.find((text) => !isEventPattern(text));
  if (unknown === undefined) return;
  const message = `must be registered types, patterns such as subscription.*, or *; ${JSON.stringify(unknown.slice(0, 100))} is none`;
  issues.push({ code: 'custom', input: value, message });
});

const types = z.array(z.string().check(z.maxLength(100))).check(
  z.minLength(1),
  z.maxLength(maxTypes),
  z.refine((list) => new Set(list).size === list.length, 'must differ from each other'),
  knownTypes,
  z.meta({
    description:
      'The types of events that are delivered. `subscription.*` includes all types of a subscription, those that are added later too, and `*` includes all types of the kind of key that the webhook is for.',
    examples: [['subscription.*', 'invoice.paid']],
  }),
);

export const fields = {
  url,
  types,
  description: linesField(maxDescription).check(
    z.meta({ description: 'A note for yourself. The service does not use it.' }),
  ),
  active: z.boolean().check(
    z.meta({
      description: 'Events are delivered while it is active. `true` enables a disabled webhook again.',
    }),
  ),
};

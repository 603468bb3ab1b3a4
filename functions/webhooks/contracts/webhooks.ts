import * as z from 'zod/mini';
import { commonErrors, defineRoute, idempotencyErrors, refusals } from '../../shared/contract/route.ts';
import { described } from '../../shared/fields/described.ts';
import { IdempotencyHeaders } from '../../shared/fields/idempotency-key.ts';
import { seenRevision } from '../../shared/fields/revision.ts';
import { fields, WebhookPath } from '../api/requests.ts';
import { OneWebhook, secret } from '../api/responses.ts';
import { WebhookSchema } from '../endpoints/schema.ts';

export const applicationRoute = {
  auth: 'application',
  operatorScope: 'support',
  concurrentRateLimit: true,
} as const;

const idempotency = ['GetItem', 'PutItem'] as const;

const NewWebhook = z.object({
  ...fields,
  description: z._default(fields.description, ''),
  active: z._default(fields.active, true),
});

const CreatedWebhook = z.object({ webhook: WebhookSchema, secret });

export const webhookCreateRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/webhooks',
  words: { title: 'Create a webhook' },
  summary: 'Creates a webhook.',
  description: `\
The webhook is for the kind of key that sends the request: it takes the events of its services, and only this kind manages it.
Each kind has at most ten webhooks. A type of the other kind is refused. A webhook that an operator creates is for the kind that
its \`types\` name. \`secret\` signs the deliveries, and is shown only in this response. The
conventions of this reference say how deliveries are made and verified.

With an \`Idempotency-Key\`, a repeated request within 24 hours returns the webhook and the secret of the first one. When the
webhook was removed or its secret replaced twice since, the repeat is a \`conflict\`.`,
  ...applicationRoute,
  operatorScope: 'admin',
  headers: IdempotencyHeaders,
  body: NewWebhook,
  response: CreatedWebhook,
  status: 201,
  errors: { ...commonErrors, also: [...refusals, 'limit_exceeded', 'conflict', ...idempotencyErrors] },
  grants: {
    table: {
      WEBHOOK: ['GetItem', 'PutItem', 'UpdateItem'],
      WEBHOOKSECRET: ['GetItem', 'PutItem'],
      IDEMPOTENCY: idempotency,
    },
  },
});

const WebhookList = z.object({ webhooks: z.array(WebhookSchema) });

export const webhookListRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/webhooks',
  summary: 'Lists the webhooks of the application.',
  description:
    'Lists those of the kind of key that sends the request, at most ten, oldest first. An operator sees those of both kinds.',
  ...applicationRoute,
  response: WebhookList,
  errors: { ...commonErrors, also: refusals },
  grants: { table: { WEBHOOK: ['Query'] } },
});

export const webhookReadRoute = defineRoute({
  method: 'GET',
  path: '/api/v1/webhooks/{id}',
  summary: 'Retrieves a webhook.',
  ...applicationRoute,
  params: WebhookPath,
  response: OneWebhook,
  errors: { ...commonErrors, also: refusals },
  grants: { table: { WEBHOOK: ['GetItem'] } },
});

const WebhookChange = z.object({ ...z.partial(z.object(fields)).shape, revision: seenRevision });

export const webhookUpdateRoute = defineRoute({
  method: 'PUT',
  path: '/api/v1/webhooks/{id}',
  words: { title: 'Change the webhook', notice: 'The webhook is changed.' },
  summary: 'Updates a webhook.',
  description: [
    'Omitted fields keep their values.',
    '`active: true` enables a webhook that the service disabled; its failures are forgotten.',
    'Deliveries that wait for an attempt go to the new `url`.',
  ].join(' '),
  ...applicationRoute,
  operatorScope: 'admin',
  params: WebhookPath,
  body: WebhookChange,
  response: OneWebhook,
  errors: { ...commonErrors, also: [...refusals, 'conflict'] },
  grants: { table: { WEBHOOK: ['GetItem', 'UpdateItem'] } },
});

const RemovedWebhook = z.object({ success: z.literal(true), deleted: z.string() });

export const webhookRemoveRoute = defineRoute({
  method: 'DELETE',
  path: '/api/v1/webhooks/{id}',
  words: {
    title: 'Remove the webhook',
    question: 'Pending deliveries are cancelled. Remove the webhook?',
    notice: 'The webhook is removed.',
  },
  summary: 'Removes a webhook and its secrets.',
  description: 'Deliveries that wait for an attempt end: none is attempted again.',
  ...applicationRoute,
  operatorScope: 'admin',
  params: WebhookPath,
  response: RemovedWebhook,
  errors: { ...commonErrors, also: [...refusals, 'conflict'] },
  grants: { table: { WEBHOOK: ['UpdateItem', 'DeleteItem'], WEBHOOKSECRET: ['DeleteItem'] } },
});

const RotatedSecret = z.object({
  secret,
  formerSecretExpiresAt: z.iso
    .datetime()
    .check(described('Until then deliveries are signed with the former secret as well.')),
});

export const webhookRotateRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/webhooks/{id}/rotate',
  words: { title: 'Replace the signing secret' },
  operationId: 'rotateWebhookSecret',
  summary: 'Gives a webhook a new signing secret.',
  description: `\
For 24 hours deliveries have two signatures: by the new secret and by the former one. Replace the secret in the receiver in this
time. At most two secrets sign: with another rotation within the 24 hours, the oldest one ends at once.

With an \`Idempotency-Key\`, a repeated request within 24 hours returns the secret of the first one. When it was replaced
twice since, the repeat is a \`conflict\`.`,
  ...applicationRoute,
  operatorScope: 'admin',
  params: WebhookPath,
  headers: IdempotencyHeaders,
  response: RotatedSecret,
  errors: { ...commonErrors, also: [...refusals, 'conflict', ...idempotencyErrors] },
  grants: {
    table: {
      WEBHOOK: ['GetItem', 'UpdateItem'],
      WEBHOOKSECRET: ['GetItem', 'UpdateItem'],
      IDEMPOTENCY: idempotency,
    },
  },
});

const RequestedTest = z.object({
  eventId: z.string().check(described('The event `webhook.test`, which only this webhook receives.')),
  deliveryId: z.string(),
});

export const webhookTestRoute = defineRoute({
  method: 'POST',
  path: '/api/v1/webhooks/{id}/test',
  words: { title: 'Send a test event', notice: 'A test event is on its way.' },
  summary: 'Sends a test event to a webhook.',
  description: [
    'Records an event `webhook.test`, which only this webhook receives, whatever its `types` are.',
    'It is delivered and retried like any other. While the webhook is not active, the request is a `conflict`.',
  ].join(' '),
  ...applicationRoute,
  params: WebhookPath,
  headers: IdempotencyHeaders,
  throttle: { ratePerSecond: 20, burst: 40 },
  response: RequestedTest,
  status: 202,
  errors: { ...commonErrors, also: [...refusals, 'conflict', ...idempotencyErrors] },
  grants: {
    table: {
      WEBHOOK: ['GetItem', 'UpdateItem'],
      EVENT: ['PutItem'],
      IDEMPOTENCY: ['GetItem', 'PutItem'],
    },
  },
});

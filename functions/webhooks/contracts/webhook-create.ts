import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, idempotencyErrors, refusals } from '../../shared/contract/route-parts.ts';
import { IdempotencyHeaders } from '../../shared/fields/idempotency-key.ts';
import { fields } from '../api/requests.ts';
import { secret } from '../api/responses.ts';
import { WebhookSchema } from '../endpoints/schema.ts';
import { applicationRoute, idempotency } from './common.ts';

const NewWebhook = z.object({
  ...fields,
  description: z._default(fields.description, ''),
  active: z._default(fields.active, true),
});

const CreatedWebhook = z.object({ webhook: WebhookSchema, secret });

export const route = defineRoute({
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

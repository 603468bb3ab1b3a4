import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, idempotencyErrors, refusals } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { IdempotencyHeaders } from '../../shared/fields/idempotency-key.ts';
import { WebhookPath } from '../api/requests.ts';
import { secret } from '../api/responses.ts';
import { applicationRoute, idempotency } from './common.ts';

const RotatedSecret = z.object({
  secret,
  formerSecretExpiresAt: z.iso
    .datetime()
    .check(described('Until then deliveries are signed with the former secret as well.')),
});

export const route = defineRoute({
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

import * as z from 'zod/mini';
import { commonErrors, idempotencyErrors, sellerRoute } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { IdempotencyHeaders } from '../../shared/fields/idempotency-key.ts';
import { IdPath } from '../../shared/fields/path-id.ts';
import { seenRevision } from '../../shared/fields/revision.ts';
import { lineField } from '../../shared/fields/text.ts';
import * as grants from '../grants.ts';
import { ChangedSubscription } from '../schemas.ts';

/** Of the body of each change: what the caller saw, and why. */
export const changeFields = {
  revision: seenRevision,
  reason: z.optional(
    lineField(500).check(
      described(
        'Why. The audit record of an operator has it, and the timeline of a cancellation. The subscriber does not see it.',
      ),
    ),
  ),
};

export const anyChangeRoute = {
  method: 'POST',
  params: IdPath,
  bodyOptional: true,
  response: ChangedSubscription,
  errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'conflict', 'invalid_transition'] },
  grants: grants.change,
} as const;

const { bodyOptional, ...parts } = anyChangeRoute;

/** Common to the changes that a seller asks for, with a body. */
export const sellerChangeRoute = {
  ...sellerRoute,
  ...parts,
  headers: IdempotencyHeaders,
  errors: { ...commonErrors, also: [...anyChangeRoute.errors.also, ...idempotencyErrors] },
  grants: { ...grants.change, table: { ...grants.change.table, IDEMPOTENCY: ['GetItem', 'PutItem'] } },
} as const;

/** The same, where the body may be left out. */
export const changeRoute = { ...sellerChangeRoute, bodyOptional } as const;

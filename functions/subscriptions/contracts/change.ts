import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, idempotencyErrors, sellerRoute } from '../../shared/contract/route-parts.ts';
import { described } from '../../shared/fields/described.ts';
import { IdempotencyHeaders } from '../../shared/fields/idempotency-key.ts';
import * as grants from '../grants.ts';
import { ChangedSubscription } from '../schemas.ts';
import { details } from './plan-change.ts';
import { planChangeRoute } from './plan-change-route.ts';

const ChangedPlan = z.object({
  ...ChangedSubscription.shape,
  change: details,
  checkoutUrl: z.optional(
    z
      .string()
      .check(
        described(
          'The payment page of the invoice, if one is due and the application has a payment gateway.',
        ),
      ),
  ),
});

export const route = defineRoute({
  ...planChangeRoute,
  ...sellerRoute,
  words: { title: 'Change the plan', notice: 'The change of plan is recorded.' },
  path: '/api/v1/subscriptions/{id}/change',
  alsoAt: '/subscriptions/{id}/change',
  summary: 'Changes the plan of a subscription, or its quantity, at once or at the end of the term.',
  description: `\
At once, the rest of the term is credited at the old price and charged at the new one. A plan with another billing cycle
begins a new term. A difference to pay is invoiced. A difference to credit is a credit note, and becomes credit of the client,
which the next invoice uses. The plan changes before the invoice is paid; the subscription becomes \`past_due\` on its due
date.

At the end of the term, the renewal invoice is for the new plan. A request with the present plan undoes a planned change.

A subscription that is active or on trial can be changed. It keeps its currency. Request a preview first to show amounts and
dates to the subscriber, and pass its \`quotedAt\`.

With an \`Idempotency-Key\`, a repeated request within 24 hours returns the response to the first one.`,
  headers: IdempotencyHeaders,
  response: ChangedPlan,
  errors: {
    ...commonErrors,
    also: ['invalid_token', 'not_found', 'conflict', 'invalid_transition', ...idempotencyErrors],
  },
  grants: { table: grants.planChangeTable, uses: ['timers', 'deploymentKey'] },
});

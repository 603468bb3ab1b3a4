import * as z from 'zod/mini';
import { DocumentLine } from '../../invoices/schemas.ts';
import { commonErrors, defineRoute, idempotencyErrors, sellerRoute } from '../../shared/contract/route.ts';
import { described, Time } from '../../shared/fields/described.ts';
import { IdempotencyHeaders } from '../../shared/fields/idempotency-key.ts';
import { IdPath } from '../../shared/fields/path-id.ts';
import { Amount } from '../../shared/money/amount-schema.ts';
import * as grants from '../grants.ts';
import { ChangedSubscription } from '../schemas.ts';
import { NewSubscription } from './subscriptions.ts';

const PlanChangeBody = z.object({
  planId: NewSubscription.shape.planId,
  quantity: z.optional(
    z
      .int()
      .check(
        z.gte(1),
        z.lte(10_000),
        described(
          'How many units, such as seats, where the plan has a `quantity`. Default: as many as now if the plan sells them, else its `min`.',
        ),
      ),
  ),
  when: z.optional(
    z
      .enum(['now', 'period_end'])
      .check(
        described(
          'Default: `now` for a plan that costs more a month, else `period_end`. During a trial, a change is always `now`.',
        ),
      ),
  ),
  proration: z.optional(
    z
      .enum(['credit', 'none'])
      .check(
        described(
          'For `now`: whether the rest of the term is credited, and charged at the new price. Default: `credit`. With `none`, the new price applies from the next term on.',
        ),
      ),
  ),
  quotedAt: z.optional(
    z.iso
      .datetime({ offset: true })
      .check(
        described(
          'The `quotedAt` of a preview of the last hour: the change does exactly what the preview said. It is a `conflict` if the subscription has changed since.',
        ),
      ),
  ),
});

export const details = z.object({
  effect: z
    .enum(['now', 'period_end', 'undone', 'none'])
    .check(
      described(
        '`now`: the plan changes at once. `period_end`: it changes at the end of the term. `undone`: a planned change will not happen. `none`: the subscription has the plan already, and nothing changes.',
      ),
    ),
  quotedAt: Time.check(described('The time for which amounts and dates are computed.')),
  effectiveAt: Time.check(described('When the plan changes.')),
  planId: z.string(),
  quantity: z.optional(z.int()),
  currency: z.string(),
  lines: z
    .array(DocumentLine)
    .check(
      described(
        'The lines of all amounts that are credited (negative) and charged, the renewal invoice included if the change makes it due. Empty when no money moves.',
      ),
    ),
  total: Amount.check(described('The total of the invoices less that of the credit notes, tax included.')),
  amountDue: Amount.check(
    described("The amount to pay over all invoices of the change, after the client's credit."),
  ),
  creditChange: Amount.check(
    described("What is added to the client's credit. Negative: what is used of it."),
  ),
  dueAt: z.optional(Time.check(described('When the first of these invoices is due.'))),
  endDate: z.optional(Time.check(described('The end of the paid term after the change.'))),
});
export type PlanChangeDetails = z.output<typeof details>;

const planChangeRoute = {
  method: 'POST',
  auth: 'apiKey',
  concurrentRateLimit: true,
  params: IdPath,
  body: PlanChangeBody,
} as const;

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

export const changeRoute = defineRoute({
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

const PlanChangePreview = z.object({ preview: details });

export const changePreviewRoute = defineRoute({
  ...planChangeRoute,
  path: '/api/v1/subscriptions/{id}/change/preview',
  alsoAt: '/subscriptions/{id}/change/preview',
  operationId: 'previewSubscriptionChange',
  summary: 'Previews a change of plan: its amounts and dates. Nothing is changed.',
  description:
    'The same request to `/change` within an hour, with the `quotedAt` of the response, has exactly this effect.',
  response: PlanChangePreview,
  errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'conflict', 'invalid_transition'] },
  grants: { table: grants.planChangePreviewTable },
});

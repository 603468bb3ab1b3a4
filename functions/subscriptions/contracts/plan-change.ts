import * as z from 'zod/mini';
import { DocumentLine } from '../../invoices/schemas.ts';
import { described } from '../../shared/fields/described.ts';
import { Time } from '../../shared/fields/time.ts';
import { Amount } from '../../shared/money/amount-schema.ts';
import { NewSubscription } from './new-subscription.ts';

export const PlanChangeBody = z.object({
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

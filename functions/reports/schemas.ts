import * as z from 'zod/mini';
import { defined } from '../shared/contract/defined.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import { AmountsByAge, toAges, toDecimals } from './ages-schema.ts';
import type { ReportRun } from './report-run.ts';
import { type CurrencyTotals, type ReportFigures, rateOf } from './revenue.ts';

const amount = (description: string) => z.number().check(z.meta({ description }));
const count = (description: string) => z.int().check(z.meta({ description }));
const rate = (description: string) =>
  z.optional(
    z
      .number()
      .check(
        z.meta({ description: `${description} With up to four decimals. Absent when the divisor is 0.` }),
      ),
  );
const time = (description: string) => z.iso.datetime().check(z.meta({ description }));

export const Totals = z.object({
  currency: z.string(),
  recurring: z
    .object({
      start: amount('At the start of the period.'),
      new: amount('Subscriptions that were paid for the first time.'),
      expansion: amount('Changes to higher prices and quantities.'),
      reactivated: amount('Subscriptions that resumed or revived.'),
      contraction: amount('Changes to lower prices and quantities: negative.'),
      paused: amount('Subscriptions that were paused: negative.'),
      churned: amount('Subscriptions that ended: negative.'),
      end: amount('At the end of the period: the sum of all above.'),
    })
    .check(
      z.meta({
        description:
          'Monthly recurring revenue: the prices of active and past due subscriptions for a month, each rounded half up to the minor unit. A year counts as 52 weeks.',
      }),
    ),
  invoiced: amount('The totals of invoices that were issued in the period, void ones included.'),
  credited: amount(
    'The totals of credit notes that were issued in the period, without the documents of cancellations.',
  ),
  cancelled: amount('What was cancelled in the period of invoices, because they are void.'),
  writtenOff: amount('What was given up in the period of invoices, less what was owed again.'),
  paid: amount(
    'What payments and credit paid of invoices in the period, less what went back. Over all time, `invoiced` less `credited`, `cancelled`, `writtenOff` and `paid` is `outstanding`.',
  ),
  received: amount('Payments that arrived in the period, by value date.'),
  returned: amount(
    'Refunds, disputes and returns in the period. All that was returned of a payment counts at the time of its latest return.',
  ),
  outstanding: AmountsByAge.check(
    z.meta({
      description: 'What is due of open invoices at the time of the report, by the days since the due date.',
    }),
  ),
});

export const RevenueResponse = z.object({
  report: z.object({
    from: time('The start of the period.'),
    to: time('The end of the period, which is not included: at most the time of the report.'),
    asOf: time('The time of the report. What was created later is not counted.'),
    currencies: z.array(Totals).check(z.meta({ description: 'The amounts in each currency.' })),
    subscriptions: z.object({
      payingAtStart: count('Subscriptions that were active or past due at the start of the period.'),
      new: count('Subscriptions that were paid for the first time.'),
      reactivated: count('Subscriptions that resumed or revived.'),
      churned: count('Subscriptions that ended while active or past due.'),
      payingAtEnd: count('Subscriptions that were active or past due at the end of the period.'),
      churnRate: rate('`churned` divided by `payingAtStart`.'),
    }),
    trials: z.object({
      started: count('Trials that began in the period.'),
      converted: count('Trials that were paid in the period, whenever they began.'),
      lost: count('Trials that ended unpaid in the period.'),
      conversionRate: rate('`converted` divided by the sum of `converted` and `lost`.'),
    }),
  }),
});

export function toRevenueResponse({
  period: { fromMs, toMs },
  asOfMs,
  figures: { totals, counts },
}: ReportRun<ReportFigures>): z.output<typeof RevenueResponse> {
  const { trialsStarted, trialsConverted, trialsLost, payingAtStart, churned } = counts;
  return {
    report: {
      from: isoTime(fromMs),
      to: isoTime(toMs),
      asOf: isoTime(asOfMs),
      currencies: Object.entries(totals)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([currency, amounts]) => toTotals(currency, amounts)),
      subscriptions: {
        payingAtStart,
        new: counts.new,
        reactivated: counts.reactivated,
        churned,
        payingAtEnd: counts.payingAtEnd,
        ...defined({ churnRate: rateOf(churned, payingAtStart) }),
      },
      trials: {
        started: trialsStarted,
        converted: trialsConverted,
        lost: trialsLost,
        ...defined({ conversionRate: rateOf(trialsConverted, trialsConverted + trialsLost) }),
      },
    },
  };
}

function toTotals(
  currency: string,
  { recurring, outstanding, ...amounts }: CurrencyTotals,
): z.output<typeof Totals> {
  const decimals = <Name extends string>(amounts: Readonly<Record<Name, number>>) =>
    toDecimals(amounts, currency);
  return {
    currency,
    recurring: decimals(recurring),
    ...decimals(amounts),
    outstanding: toAges(outstanding, currency),
  };
}

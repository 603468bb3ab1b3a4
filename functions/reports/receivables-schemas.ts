/** The report of receivables as the API returns it: totals as JSON, and a row for each invoice as CSV. */
import * as z from 'zod/mini';
import type { Invoice } from '../invoices/invoice.ts';
import { amountCell, type Columns } from '../shared/lists/csv.ts';
import { toDecimal } from '../shared/money/money.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import { ageOf, type ReceivablesFigures } from './ages.ts';
import { ageFields, toAges } from './ages-schema.ts';
import type { ReportRun } from './report-run.ts';

const described = (description: string) => z.meta({ description });

export const ReceivablesTotals = z.object({
  currency: z.string().check(described('ISO 4217.')),
  ...ageFields,
});

export const ReceivablesResponse = z.object({
  report: z.object({
    at: z.iso
      .datetime()
      .check(described('The time of the amounts. What was booked at this time or later is not in them.')),
    asOf: z.iso.datetime().check(described('When the report was begun.')),
    currencies: z
      .array(ReceivablesTotals)
      .check(described('What is outstanding in each currency, by days after the due date.')),
  }),
});

export function toReceivablesResponse({
  period: { toMs },
  asOfMs,
  figures,
}: ReportRun<ReceivablesFigures>): z.output<typeof ReceivablesResponse> {
  return {
    report: {
      at: isoTime(toMs),
      asOf: isoTime(asOfMs),
      currencies: Object.entries(figures)
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([currency, ages]) => ({ currency, ...toAges(ages, currency) })),
    },
  };
}

export interface Receivable {
  invoice: Pick<
    Invoice,
    'invoiceId' | 'number' | 'externalId' | 'subscriptionId' | 'currency' | 'issuedAtMs' | 'dueAtMs'
  >;
  outstandingMinor: number;
  atMs: number;
}

export const receivableColumns: Columns<Receivable> = {
  id: ({ invoice }) => invoice.invoiceId,
  number: ({ invoice }) => invoice.number,
  externalId: ({ invoice }) => invoice.externalId,
  subscriptionId: ({ invoice }) => invoice.subscriptionId,
  issuedAt: ({ invoice }) => isoTime(invoice.issuedAtMs),
  dueAt: ({ invoice }) => isoTime(invoice.dueAtMs),
  currency: ({ invoice }) => invoice.currency,
  outstanding: ({ invoice: { currency }, outstandingMinor }) =>
    amountCell(toDecimal(outstandingMinor, currency), currency),
  age: ({ invoice, atMs }) => ageOf(invoice.dueAtMs, atMs),
};

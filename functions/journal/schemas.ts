import * as z from 'zod/mini';
import { entryKinds, type Posting, plainAccounts, type Sale } from '../ledger/entry.ts';
import { defined } from '../shared/contract/defined.ts';
import { toDecimal } from '../shared/money/money.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import type { BookedEntry, BookedRecord } from './booked-record.ts';

const accounts = [...plainAccounts.filter((account) => account !== 'sales'), 'receivable', 'tax'] as const;

export const PostingResponse = z.object({
  account: z.enum(accounts),
  amount: z.number().check(z.meta({ description: 'A debit is above 0, a credit below.' })),
  invoice: z.optional(
    z.string().check(z.meta({ description: 'The number of the invoice of `receivable`.' })),
  ),
  country: z.optional(z.string().check(z.meta({ description: 'The country of `tax`.' }))),
  percent: z.optional(z.number().check(z.meta({ description: 'The rate of `tax`.' }))),
});
type PostingResponse = z.output<typeof PostingResponse>;

const country = z.string().check(z.meta({ description: 'The country of the customer.' }));

const SaleResponse = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('standard').check(z.meta({ description: 'With tax at `percent`, which can be 0.' })),
    country,
    percent: z.number(),
    oss: z.boolean().check(z.meta({ description: 'For the One Stop Shop.' })),
    nationalTax: z.optional(
      z.object({ currency: z.string(), tax: z.number() }).check(
        z.meta({
          description: 'The tax in the national currency of the seller, with the sign of its posting.',
        }),
      ),
    ),
  }),
  z.object({
    kind: z
      .enum(['reverse_charge', 'none'])
      .check(
        z.meta({ description: '`reverse_charge`: the customer owes the tax. `none`: there is no rate.' }),
      ),
    country,
  }),
]);

export const EntryResponse = z.object({
  kind: z.enum(entryKinds),
  currency: z.string(),
  paymentId: z.optional(z.string().check(z.meta({ description: 'The payment whose money moves.' }))),
  sale: z.optional(
    SaleResponse.check(
      z.meta({
        description:
          'How the sale is taxed whose revenue moves, or is a bad debt. Absent without tax where the country is unknown.',
      }),
    ),
  ),
  valueDate: z.optional(
    z.iso.date().check(
      z.meta({
        description:
          'The day on which the money moved, as its bank or gateway states it. Absent where it is that of booking.',
      }),
    ),
  ),
  lateFor: z.optional(
    z.string().check(
      z.meta({
        description:
          'The month of `valueDate`, if it had ended when the entry was booked: the entry is late for it.',
        examples: ['2026-10'],
      }),
    ),
  ),
  postings: z.array(PostingResponse).check(z.meta({ description: 'They add up to 0.' })),
});

export const RecordResponse = z.object({
  _id: z.string().check(z.meta({ examples: ['jrn_01jd3b7q0000e5w3v9f2k4m6p8'] })),
  bookedAt: z.iso.datetime(),
  day: z.iso.date().check(z.meta({ description: 'The day of `bookedAt` in the time zone of the seller.' })),
  externalId: z.optional(
    z.string().check(z.meta({ description: 'The client. Absent while none is known.' })),
  ),
  subscriptionId: z.optional(z.string()),
  entries: z.array(EntryResponse),
});
export type RecordResponse = z.output<typeof RecordResponse>;

export function toRecordResponse(booked: BookedRecord): RecordResponse {
  const { journalId, bookedAtMs, day, externalId, subscriptionId, numbers, entries } = booked;
  return {
    _id: journalId,
    bookedAt: isoTime(bookedAtMs),
    day,
    ...defined({ externalId, subscriptionId }),
    entries: entries.map((entry) => toEntryResponse(entry, numbers)),
  };
}

function toEntryResponse(
  { kind, currency, paymentId, sale, valueDate, lateFor, postings }: BookedEntry,
  numbers: BookedRecord['numbers'],
): z.output<typeof EntryResponse> {
  return {
    kind,
    currency,
    ...defined({ paymentId, sale: sale && toSaleResponse(sale), valueDate, lateFor }),
    postings: postings.map((posting) => toPostingResponse(posting, currency, numbers)),
  };
}

function toSaleResponse(sale: Sale): z.output<typeof SaleResponse> {
  if (sale.kind !== 'standard') return { kind: sale.kind, country: sale.country };
  const { kind, country, percent, oss, national } = sale;
  const nationalTax = national && {
    currency: national.currency,
    tax: toDecimal(national.amountMinor, national.currency),
  };
  return { kind, country, percent, oss: oss === true, ...defined({ nationalTax }) };
}

function toPostingResponse(
  posting: Posting,
  currency: string,
  numbers: BookedRecord['numbers'],
): PostingResponse {
  const amount = toDecimal(posting.amountMinor, currency);
  switch (posting.account) {
    case 'receivable':
      return { account: 'receivable', amount, ...defined({ invoice: numbers[posting.n] }) };
    case 'tax':
      return { account: 'tax', amount, country: posting.country, percent: posting.percent };
    // Entries are written with their sales divided.
    case 'sales':
      return { account: 'revenue', amount };
    default:
      return { account: posting.account, amount };
  }
}

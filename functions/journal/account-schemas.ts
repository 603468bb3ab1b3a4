import * as z from 'zod/mini';
import { entryKinds } from '../ledger/entry.ts';
import { defined } from '../shared/contract/defined.ts';
import { described, Time } from '../shared/fields/described.ts';
import { amountCells, type Columns, cells } from '../shared/lists/csv.ts';
import { Amount } from '../shared/money/amount-schema.ts';
import { toDecimal } from '../shared/money/money.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import type { AccountBalances, AccountLine } from './account-lines.ts';

export const AccountBalance = z.object({
  currency: z.string().check(described('ISO 4217.')),
  balance: Amount.check(described('What the client owes less their credit. Below 0, it is credit.')),
});

export const AccountLineResponse = z.object({
  record: z.string().check(described('The record of the journal.', 'jrn_01jd3b7q0000e5w3v9f2k4m6p8')),
  bookedAt: Time,
  day: z.iso.date().check(described('The day of `bookedAt` in the time zone of the seller.')),
  kind: z.enum(entryKinds),
  documents: z
    .array(z.string())
    .check(described('The numbers of the credit note, if it has one, and of the invoices that it moves.')),
  subscriptionId: z.optional(z.string()),
  paymentId: z.optional(z.string().check(described('The payment whose money moves.'))),
  currency: z.string().check(described('ISO 4217.')),
  amount: Amount.check(described('What the client owes more. Below 0, they owe less, or have more credit.')),
  balance: Amount.check(described('The balance in the currency after it.')),
});
type AccountLineResponse = z.output<typeof AccountLineResponse>;

export const toLineResponse = (line: AccountLine): AccountLineResponse => {
  const { journalId, bookedAtMs, day, kind, documents, subscriptionId, paymentId, currency } = line;
  return {
    record: journalId,
    bookedAt: isoTime(bookedAtMs),
    day,
    kind,
    documents: [...documents],
    ...defined({ subscriptionId, paymentId }),
    currency,
    amount: toDecimal(line.amountMinor, currency),
    balance: toDecimal(line.balanceMinor, currency),
  };
};

export const toBalances = (balances: AccountBalances): z.output<typeof AccountBalance>[] =>
  Object.entries(balances)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, minor]) => ({ currency, balance: toDecimal(minor, currency) }));

export const accountColumns: Columns<AccountLineResponse> = {
  ...cells('record', 'bookedAt', 'day', 'kind'),
  documents: ({ documents }) => documents.join(' '),
  ...cells('subscriptionId', 'paymentId', 'currency'),
  ...amountCells('amount', 'balance'),
};

/** The money of invoices that an end closes: credit again, or kept for a term that was granted. */
import { creditedMinor } from '../../../../../functions/ledger/entry.ts';
import { settledAfter } from '../../../../../functions/ledger/settled.ts';
import { dayMs } from '../../../../../functions/shared/runtime/clock.ts';
import { appliedChange, decide } from '../../../../../functions/subscriptions/machine/decide.ts';
import type { OpenInvoice } from '../../../../../functions/subscriptions/record/subscription.ts';
import * as states from '../../../../support/subscriptions/state-samples.ts';
import { dunning } from './courses/given.ts';

const settled = { paidMinor: 30, fromCreditMinor: 20, creditNotedMinor: 10 };
const parts = [{ paymentId: 'pay_1', amountMinor: 30 }];

const invoices: Readonly<Record<string, OpenInvoice>> = {
  'of a term that is not granted': { ...states.openInvoice, settled, parts },
  'of a change of plan': { ...states.grantedInvoice, dueAtMs: states.sampleNowMs + dayMs, settled, parts },
  'whose payment was reversed': { ...states.grantedInvoice, settled, parts },
};

test.each<[keyof typeof invoices, 'cancel' | 'dunning_end', givenBack: boolean]>([
  ['of a term that is not granted', 'cancel', true],
  ['of a term that is not granted', 'dunning_end', true],
  ['of a change of plan', 'cancel', false],
  ['of a change of plan', 'dunning_end', false],
  ['whose payment was reversed', 'cancel', false],
  ['whose payment was reversed', 'dunning_end', false],
])('an invoice %s, by %s, gives its money back: %s', (name, event, isGivenBack) => {
  const open = invoices[name];
  const subscription = states.sampleOf('past_due', {
    ...states.inTerm,
    dunning,
    openInvoices: open === undefined ? [] : [open],
  });
  const change = appliedChange(decide(subscription, states.sampleContext(event)));
  const books = change?.books ?? [];
  const restMinor = 999 - 10;
  const [closing, restName] =
    event === 'cancel' && isGivenBack ? ['cancellation', 'cancelledMinor'] : ['bad_debt', 'badDebtMinor'];
  expect(creditedMinor(books, 'EUR')).toBe(isGivenBack ? 50 : 0);
  expect(books.map(({ kind, paymentId }) => `${kind} ${paymentId ?? ''}`.trim())).toEqual([
    ...(isGivenBack ? ['allocation pay_1', 'credit'] : []),
    closing,
  ]);
  expect(settledAfter(settled, 1, books)).toEqual(
    isGivenBack
      ? { creditNotedMinor: 10, [`${restName}`]: restMinor }
      : { ...settled, [`${restName}`]: restMinor - 50 },
  );
});

test('a credit note that voids the overdue invoice ends the arrears, also when the invoice asks for a debt beside its total', () => {
  const asking = { carriedMinor: 500 };
  const subscription = states.sampleOf('past_due', {
    ...states.inTerm,
    dunning,
    openInvoices: [{ ...states.openInvoice, settled: asking }],
  });
  const invoice = { ...states.credited.invoice, settled: asking };
  const change = appliedChange(
    decide(
      subscription,
      states.sampleContext('invoice_credited', { credited: { invoice, amountMinor: 999 } }),
    ),
  );
  expect(change?.next).toMatchObject({ status: 'active', openInvoices: [] });
  expect(creditedMinor(change?.books ?? [], 'EUR')).toBe(-500);
  expect(change?.next.timer?.dueAtMs).toBeLessThan(Number.POSITIVE_INFINITY);
});

import { expect, test } from 'vitest';
import { subscriptionMail } from '../../../../../functions/notices/mails/subscription-mail.ts';
import type { MailFacts, MailTemplate } from '../../../../../functions/subscriptions/record/outbox-entry.ts';
import { invoiceRecord } from '../../../../support/subscriptions/sold.ts';
import { inTerm, sampleOf } from '../../../../support/subscriptions/state-samples.ts';

const at = (month: number, day: number) => Date.UTC(2026, month, day, 12);
const facts: MailFacts = {
  seller: 'Acme Notes',
  customerName: 'Ann',
  referenceNumber: 'SUB-7K3M9QXA',
  planName: 'Team',
  priceMinor: 1_999,
  currency: 'EUR',
  billingCycle: 'monthly',
  termStartMs: at(9, 28),
  termEndMs: at(10, 28),
};
const former = { formerPlanName: 'Pro', formerPriceMinor: 999, formerBillingCycle: 'weekly' } as const;
const renewal = invoiceRecord(sampleOf('active', inTerm), 2, {
  invoiceId: 'inv_2',
  number: 'INV-2',
  totalMinor: 1_999,
  settled: { fromCreditMinor: 1_000 },
  dueAtMs: at(10, 28),
  periodStartMs: at(10, 28),
  periodEndMs: at(11, 28),
});

const cases: readonly [string, MailTemplate, Partial<MailFacts>, string, typeof renewal?][] = [
  [
    'a change of plan names both prices',
    'plan_changed',
    former,
    'has changed from “Pro” (EUR 9.99 for one week) to “Team” (EUR 19.99 for one month). There is nothing to pay for this.',
  ],
  [
    'a change without proration says from when the new price applies',
    'plan_changed',
    { ...former, priceFromMs: at(10, 28) },
    'The new price applies from 28 November 2026 on.',
  ],
  [
    'a change brings the invoice of the next term, with the credit that it used',
    'plan_changed',
    { ...former, creditMinor: 1_000 },
    'EUR 10.00 that you have paid before is credited to you. The invoice uses EUR 10.00 of your credit: EUR 9.99 is due for 28 November 2026 to 28 December 2026.',
    renewal,
  ],
  [
    'a change whose invoice credit pays asks for nothing',
    'plan_change_scheduled',
    former,
    'Your credit pays the invoice for 28 November 2026 to 28 December 2026: there is nothing to pay for this.',
    { ...renewal, status: 'paid' },
  ],
  [
    'a planned change says of an earlier invoice no more than is known',
    'plan_change_scheduled',
    former,
    'An invoice for the next term from before this change, if you have one, is void: a new one replaces it.',
  ],
  [
    'a planned change that is undone names the price that stays',
    'plan_change_undone',
    former,
    'stays with “Team”, at EUR 19.99 for one month. The planned change to “Pro” will not happen.',
  ],
  [
    'a pause states its dates and the price',
    'paused',
    { changesAtMs: at(10, 2), resumesAtMs: at(10, 9) },
    'was paused on 2 November 2026, 12:00 UTC. It goes on by itself on 9 November 2026, 12:00 UTC. Without the pause, the paid term would end on 28 November 2026, 12:00 UTC: it ends later by the time of the pause. No new invoice is issued during the pause. The price stays as it is: EUR 19.99 for one month.',
  ],
  [
    'a pause without an end says how it ends',
    'paused',
    { changesAtMs: at(10, 2) },
    'It goes on when you resume it where you use “Acme Notes”.',
  ],
  [
    'the end of a pause states the new end of the term and the price',
    'resumed',
    {},
    'now ends on 28 November 2026, 12:00 UTC. Its price is EUR 19.99 for one month.',
  ],
  [
    'a cancellation at once states the rest of the paid term and the credit',
    'cancelled',
    { reason: 'cancelled', endedAtMs: at(10, 2), unusedUntilMs: at(10, 28), balanceMinor: 800 },
    'Its paid term would have lasted until 28 November 2026, 12:00 UTC: the rest of it is not paid back by itself. If you expect a refund, ask “Acme Notes”. An invoice that was still open is void: please do not pay it any more. Your credit at “Acme Notes” is EUR 8.00: your next invoice there uses it, or ask for it back.',
  ],
  [
    'a cancellation says what of granted terms is owed, and what a payment does',
    'cancelled',
    { reason: 'cancelled', endedAtMs: at(10, 2), owedMinor: 1_000, isNextTermInvoiced: true },
    'EUR 10.00 was not paid. That time was granted to you, so EUR 10.00 is still owed. The next term never began: you do not owe its invoice. A payment with the reference',
  ],
  [
    'a subscription that another one replaced says what is owed',
    'cancelled',
    { reason: 'replaced', endedAtMs: at(10, 2), owedMinor: 1_000 },
    'EUR 10.00 for it was not paid. That time was granted to you, so EUR 10.00 is still owed. A payment with the reference',
  ],
  [
    'a term that does not renew says what is owed',
    'expired',
    { reason: 'not_renewed', endedAtMs: at(10, 2), owedMinor: 1_000 },
    'is not paid. That time was granted to you, so EUR 10.00 is still owed.',
  ],
  [
    'a cancellation at the end of the term states the end and the credit',
    'cancellation_scheduled',
    { balanceMinor: 800 },
    'Your credit at “Acme Notes” is EUR 8.00',
  ],
  [
    'a cancellation states the credit that was used and taken back',
    'cancelled',
    { reason: 'cancelled', endedAtMs: at(10, 2), balanceMinor: -500 },
    'You owe EUR 5.00, which was taken back after it had been used or sent back: your next invoice at “Acme Notes” asks for it.',
  ],
  [
    'a refund says what of it had been used as credit',
    'payment_refunded',
    { paymentMinor: 1_000, creditMinor: -810, balanceMinor: -500 },
    'EUR 8.10 of it was taken from your credit. EUR 5.00 of that had been used or sent back before: your next invoice asks for it.',
  ],
  [
    'a credit note says its amount, and what became credit',
    'invoice_credited',
    { paymentMinor: 500, creditMinor: 333 },
    '“Acme Notes” has issued a credit note of EUR 5.00 for “Team”. EUR 3.33 that you had paid is your credit, for your next invoices. There is nothing to pay for it any more.',
  ],
  [
    'a refund says what became credit',
    'payment_refunded',
    { paymentMinor: 167, creditMinor: 333 },
    'EUR 3.33 that you had paid is not needed for its invoice any more: it is your credit, for your next invoices.',
  ],
];

test.each(cases)('%s', (_, template, more, words, invoice) => {
  const { text } = subscriptionMail({ template, facts: { ...facts, ...more } }, invoice);
  expect(text.replace(/\s+/g, ' ')).toContain(words);
});

const dueAtIssue = { fromCreditMinor: 0 };
test.each([
  ['open', 'Invoice INV-2 is attached as PDF.', dueAtIssue],
  ['paid', 'Invoice INV-2, which is paid, is attached as PDF.', { fromCreditMinor: renewal.totalMinor }],
  // Its document asks for what is paid.
  ['paid', undefined, dueAtIssue],
  ['void', undefined, dueAtIssue],
  // Its document states that credit paid it.
  ['open', undefined, { fromCreditMinor: renewal.totalMinor }],
] as const)('an invoice that is %s is attached as what it is: %s', (status, words, settledAtIssue) => {
  const invoice = { ...renewal, status, settledAtIssue };
  const { text } = subscriptionMail({ template: 'plan_changed', facts }, invoice);
  expect(/Invoice INV-2.* PDF\./.exec(text)?.[0]).toBe(words);
});

test('a mail about a payment that was taken back brings no document that says "paid"', () => {
  const first = { ...renewal, n: 1, gateway: 'stripe', dueAtMs: at(11, 20) } as const;
  const mail = (invoice: typeof renewal) =>
    subscriptionMail({ template: 'payment_reversed', facts }, invoice).text;
  expect(mail(first)).toContain('Invoice INV-2 is attached as PDF.');
  expect(mail({ ...first, paidAtMs: at(10, 24), reversed: true })).not.toContain('is attached');
});

test.each([
  [
    'debt_paid',
    { paymentMinor: 1_500, creditMinor: 501 },
    'EUR 15.00 has arrived. It pays what was still owed. EUR 5.01 more than was owed is your credit, for your next invoices.',
  ],
  [
    'payment_refunded',
    { paymentMinor: 1_000, creditMinor: -810, balanceMinor: -500 },
    '“Acme Notes” has refunded EUR 10.00. EUR 8.10 of it was taken from your credit. EUR 5.00 of that had been used or sent back before: your next invoice asks for it.',
  ],
] as const)(
  'a mail that tells %s of the same moment says what became of the credit',
  (template, news, words) => {
    const told = { ...facts, news: [{ template, endsMs: at(10, 28), ...news }] };
    const { text } = subscriptionMail({ template: 'renewal', facts: told }, renewal);
    expect(text.replace(/\s+/g, ' ')).toContain(words);
  },
);

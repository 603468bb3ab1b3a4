import { expect, test } from 'vitest';
import type { Invoice } from '../../../../../functions/invoices/invoice.ts';
import { arriving } from '../../../../../functions/payments/settle/movement.ts';
import { type Money, placementFor } from '../../../../../functions/payments/settle/placement.ts';
import { dayMs } from '../../../../../functions/shared/runtime/duration.ts';
import { billingPolicy } from '../../../../../functions/subscriptions/record/policy.ts';
import type {
  Subscription,
  SubscriptionFields,
} from '../../../../../functions/subscriptions/record/subscription.ts';
import { invoiceRecord, soldPlan } from '../../../../support/subscriptions/sold.ts';
import {
  inTerm,
  namedSamplesIn,
  onTrial,
  openInvoice,
  sampleNowMs,
  sampleOf,
} from '../../../../support/subscriptions/state-samples.ts';

const clock = { nowMs: () => sampleNowMs };
const transfer: Money = {
  source: 'bank',
  amountMinor: 999,
  currency: 'EUR',
  valueAtMs: sampleNowMs,
  movement: arriving('bank'),
};
const byStripe: Partial<Money> = { source: 'stripe' };
const won = { kind: 'dispute_won', from: 'gateway' } as const;
const refundFailed = { kind: 'refund_failed', from: 'gateway' } as const;
const policy = billingPolicy({ payments: { tolerance: 0.5, reviveDays: 14 } });
const active = (fields: Partial<SubscriptionFields>) => sampleOf('active', { ...inTerm, policy, ...fields });
const ended = (fields: Partial<SubscriptionFields>) =>
  sampleOf('expired', {
    ...inTerm,
    policy,
    endReason: 'unpaid',
    endedAtMs: sampleNowMs - dayMs,
    ...fields,
  });
const renewal = active({ openInvoices: [openInvoice, { ...openInvoice, n: 2 }] });
const overdue = { termEndMs: sampleNowMs - 22 * dayMs };

interface Given {
  money?: Partial<Money>;
  named?: number;
  namedStatus?: Invoice['status'];
  /** The invoices that were closed at the end. One that was granted, or whose payment was reversed, is owed still. */
  closed?: Partial<Invoice>[];
  credit?: Record<string, number>;
}

/** Where the money goes, as a line. */
function placed(
  subscription: Subscription,
  { money, named, namedStatus = 'uncollectible', closed = [], credit = {} }: Given,
): string {
  const client = { applicationId: 'app_1', externalId: 'user-1', email: 'ann@example.com', credit };
  const written = { createdAtMs: 0, updatedAtMs: 0, createdBy: 'a', writtenBy: 'a' };
  const of = (fields: Partial<Invoice>) =>
    invoiceRecord(subscription, 1, { invoiceId: 'inv_1', status: 'uncollectible', ...fields });
  const placement = placementFor(
    { subscription, client: { ...client, ...written } },
    { ...transfer, ...money },
    {
      named: named === undefined ? undefined : of({ n: named, status: namedStatus }),
      closed: {
        atEnd: closed.map(of),
        owed: closed.filter(({ isGranted, reversed }) => isGranted || reversed).map(of),
      },
    },
    { clock, newId: (prefix) => `${prefix}_new` },
  );
  if (placement.kind === 'credit') return 'credit';
  if (placement.kind === 'unapplied') return `waits: ${placement.reason}`;
  const { paid, parts, overpaymentMinor } = placement.distribution;
  const rest = overpaymentMinor === 0 ? '' : `, ${overpaymentMinor} over`;
  const to = parts.map(({ n, amountMinor }) => `${amountMinor} to ${n}`).join(' and ');
  const line = `${placement.kind} ${paid.join(' and ')}: ${to}${rest}`;
  if (placement.kind !== 'revive') return line;
  const { startMs, invoices } = placement.revival;
  const start = startMs === undefined ? 'at the old end' : `${(startMs - sampleNowMs) / dayMs} days from now`;
  const open = invoices.map(({ invoiceId: _, currency: __, planOnPayment, ...one }) =>
    JSON.stringify({ ...one, grants: planOnPayment?.name }).replaceAll('"', ''),
  );
  return `${line}, ${start}, ${open.join(' ')}`;
}

test.each<[string, Subscription, Given, string]>([
  ['that pays exactly', renewal, {}, 'pay 1: 999 to 1'],
  ['that names an invoice', renewal, { named: 2 }, 'pay 2: 999 to 2'],
  ['short of the tolerance', renewal, { money: { amountMinor: 949 } }, 'pay 1: 949 to 1'],
  ['short of more', renewal, { money: { amountMinor: 948 } }, 'part : 948 to 1'],
  ['of too much', renewal, { money: { amountMinor: 2_000 } }, 'pay 1 and 2: 999 to 1 and 999 to 2, 2 over'],
  ['in another currency', renewal, { money: { currency: 'USD' } }, 'waits: currency'],
  ['by Stripe for an open invoice', renewal, { money: byStripe, named: 1 }, 'pay 1: 999 to 1'],
  ['by Stripe for a paid invoice', renewal, { money: byStripe, named: 7 }, 'waits: duplicate'],
  [
    'by the sandbox for a paid invoice',
    renewal,
    { money: { source: 'sandbox' }, named: 7 },
    'waits: duplicate',
  ],
  ['by Stripe for no invoice', renewal, { money: byStripe }, 'pay 1: 999 to 1'],
  [
    'by Stripe that a dispute gives back, for an invoice that was not paid otherwise',
    renewal,
    { money: { ...byStripe, movement: won }, named: 7 },
    'pay 1: 999 to 1',
  ],
  [
    'by Stripe that a dispute gives back, for an invoice that was paid otherwise',
    renewal,
    { money: { ...byStripe, movement: won }, named: 7, namedStatus: 'paid' },
    'waits: duplicate',
  ],
  [
    'by Stripe that a failed refund gives back, for a paid invoice',
    renewal,
    { money: { ...byStripe, movement: refundFailed }, named: 7, namedStatus: 'paid' },
    'pay 1: 999 to 1',
  ],
  ['by transfer for a paid invoice', renewal, { named: 7 }, 'pay 1: 999 to 1'],
  ['when nothing is open', active({}), {}, 'credit'],
  [
    'when nothing is open, in another currency',
    active({}),
    { money: { currency: 'USD' } },
    'waits: currency',
  ],
  [
    'in the currency of the plan, when an invoice of another is open',
    active({ openInvoices: [{ ...openInvoice, currency: 'USD' }] }),
    {},
    'waits: currency',
  ],
  ['in a trial, before its invoice', sampleOf('trialing', onTrial), {}, 'pay 1: 999 to 1'],
  [
    'of a part in a trial, before its invoice',
    sampleOf('trialing', onTrial),
    { money: { amountMinor: 5 } },
    'credit',
  ],
  [
    'in a trial, with the rest of credit',
    sampleOf('trialing', onTrial),
    { money: { amountMinor: 499 }, credit: { EUR: 500 } },
    'pay 1: 499 to 1',
  ],
  [
    'in a trial with its invoice',
    sampleOf('trialing', { ...onTrial, openInvoices: [openInvoice] }),
    { money: { amountMinor: 5 } },
    'part : 5 to 1',
  ],
  [
    'for one that was cancelled',
    namedSamplesIn('cancelled')[0]?.[1] ?? renewal,
    { closed: [{}] },
    'waits: subscription_ended',
  ],
  ['for one that was replaced', ended({ endReason: 'replaced' }), { closed: [{}] }, 'credit'],
  ['for one that was superseded', ended({ endReason: 'superseded' }), { closed: [{}] }, 'credit'],
  ['for one that did not renew', ended({ endReason: 'not_renewed' }), { closed: [{}] }, 'credit'],
  [
    'for an expired one, in another currency',
    ended({}),
    { money: { currency: 'USD' }, closed: [{}] },
    'waits: currency',
  ],
  [
    'for an expired one, in the currency of its invoice',
    ended(overdue),
    { money: { currency: 'USD' }, closed: [{ currency: 'USD' }] },
    'revive 1: 999 to 1, -7 days from now, {n:1,total:999,grants:Pro}',
  ],
  [
    'for an expired one, one of whose invoices has another currency',
    ended(overdue),
    { closed: [{}, { n: 2, currency: 'USD' }] },
    'credit',
  ],
  ['for an expired one without invoices', ended(overdue), {}, 'credit'],
  ['for an expired one without invoices, whose term still runs', ended({}), {}, 'credit'],
  [
    'for an expired one, in the currency of one of its invoices',
    ended(overdue),
    { money: { currency: 'USD' }, closed: [{}, { n: 2, currency: 'USD' }] },
    'credit',
  ],
  [
    'for an expired one, that was made in time and reported too late',
    ended({ ...overdue, endedAtMs: sampleNowMs - 14 * dayMs - 1 }),
    { money: { valueAtMs: sampleNowMs - 20 * dayMs }, closed: [{}] },
    'credit',
  ],
  [
    'for an expired one, in time for a year that is not over',
    ended({ termEndMs: sampleNowMs - 31 * dayMs }),
    {
      money: { valueAtMs: sampleNowMs - dayMs },
      closed: [{ plan: { ...soldPlan, billingCycle: 'annual' } }],
    },
    'revive 1: 999 to 1, at the old end, {n:1,total:999,grants:Pro}',
  ],
  [
    'for an expired one, in time for a term that is over now',
    ended({ termEndMs: sampleNowMs - 28 * dayMs }),
    { money: { valueAtMs: sampleNowMs - dayMs }, closed: [{}] },
    'revive 1: 999 to 1, -7 days from now, {n:1,total:999,grants:Pro}',
  ],
  [
    'for an expired one, whose term ends now',
    ended({ termEndMs: sampleNowMs }),
    { closed: [{}] },
    'revive 1: 999 to 1, -7 days from now, {n:1,total:999,grants:Pro}',
  ],
  [
    'for a reversed payment and a renewal, from credit',
    ended(overdue),
    {
      money: { amountMinor: 1_498 },
      credit: { EUR: 500 },
      closed: [{ reversed: true }, { n: 2 }],
    },
    'revive 1 and 2: 499 to 1 and 999 to 2, -7 days from now, {n:1,total:999} {n:2,total:999,grants:Pro}',
  ],
  [
    'for a reversed payment, whose term ends now',
    ended({ termEndMs: sampleNowMs }),
    { closed: [{ reversed: true }] },
    'debt 1: 999 to 1',
  ],
  ['for an expired one, of a part', ended(overdue), { money: { amountMinor: 900 }, closed: [{}] }, 'credit'],
  [
    'for an expired one, too late',
    ended({ ...overdue, endedAtMs: sampleNowMs - 14 * dayMs - 1 }),
    { closed: [{}] },
    'credit',
  ],
  [
    'for an expired one, too late, that a dispute gives back',
    ended({ ...overdue, endedAtMs: sampleNowMs - 14 * dayMs - 1 }),
    { money: { ...byStripe, movement: won }, closed: [{}] },
    'revive 1: 999 to 1, -7 days from now, {n:1,total:999,grants:Pro}',
  ],
  [
    'for an expired one, on the last day',
    ended({ ...overdue, endedAtMs: sampleNowMs - 14 * dayMs }),
    { closed: [{}] },
    'revive 1: 999 to 1, -7 days from now, {n:1,total:999,grants:Pro}',
  ],
  [
    'for an expired one, from its credit and in time',
    ended({ ...overdue, plan: soldPlan }),
    {
      money: { amountMinor: 700, valueAtMs: sampleNowMs - dayMs },
      credit: { EUR: 299 },
      closed: [{ settled: { writtenOffMinor: 999 }, gateway: 'stripe' }],
    },
    'revive 1: 700 to 1, at the old end, {n:1,total:999,settled:{writtenOff:999},atStripe:true,grants:Pro}',
  ],
  [
    'for an expired one, in time for a term that is over',
    ended({ termEndMs: sampleNowMs - 31 * dayMs }),
    { money: { valueAtMs: sampleNowMs - dayMs }, closed: [{}] },
    'revive 1: 999 to 1, -7 days from now, {n:1,total:999,grants:Pro}',
  ],
  [
    'for an expired one, whose term still runs',
    ended({}),
    { closed: [{}] },
    'revive 1: 999 to 1, at the old end, {n:1,total:999,grants:Pro}',
  ],
  [
    'for a reversed payment, whose term still runs',
    ended({}),
    {
      money: { amountMinor: 689 },
      credit: { EUR: 9 },
      closed: [{ reversed: true, settled: { paidMinor: 300, creditNotedMinor: 1, writtenOffMinor: 698 } }],
    },
    'revive 1: 689 to 1, at the old end, {n:1,total:999,settled:{paid:300,creditNoted:1,writtenOff:698}}',
  ],
  [
    'for a reversed payment, whose term is over',
    ended(overdue),
    { closed: [{ reversed: true }] },
    'debt 1: 999 to 1',
  ],
  [
    'for a part of a reversed payment, whose term is over',
    ended(overdue),
    { money: { amountMinor: 5 }, closed: [{ reversed: true }] },
    'debt : 5 to 1',
  ],
  [
    'for a reversed payment of one that was cancelled since, with a rest',
    sampleOf('cancelled', { policy, endReason: 'cancelled', endedAtMs: sampleNowMs - dayMs }),
    { money: { amountMinor: 1_000 }, closed: [{ reversed: true }] },
    'debt 1: 999 to 1, 1 over',
  ],
  [
    'for the invoice of a change, which was granted',
    ended({}),
    { closed: [{ isGranted: true }] },
    'revive 1: 999 to 1, at the old end, {n:1,total:999}',
  ],
  [
    'for a trial that is over, in time',
    ended({ endReason: 'trial_over', trialStartMs: 0, trialEndMs: sampleNowMs - 2 * dayMs }),
    { money: { valueAtMs: sampleNowMs - dayMs }, closed: [{}] },
    'revive 1: 999 to 1, -2 days from now, {n:1,total:999,grants:Pro}',
  ],
  [
    'for a trial that is over, late',
    ended({ endReason: 'trial_over', trialStartMs: 0, trialEndMs: sampleNowMs - 2 * dayMs }),
    { closed: [{}] },
    'revive 1: 999 to 1, 0 days from now, {n:1,total:999,grants:Pro}',
  ],
  [
    'for a first invoice that was void',
    sampleOf('expired', {
      policy,
      endReason: 'unpaid',
      endedAtMs: sampleNowMs - dayMs,
      startAtMs: sampleNowMs + dayMs,
    }),
    { closed: [{ status: 'void' }] },
    'revive 1: 999 to 1, 1 days from now, {n:1,total:999,grants:Pro}',
  ],
])('a payment %s', (_, subscription, given, expected) => {
  // Fields of amounts and times without their units.
  expect(placed(subscription, given).replaceAll(/(Minor|Ms)\b/g, '')).toBe(expected);
});

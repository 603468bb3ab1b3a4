import type { Invoice } from '../../../../../functions/invoices/invoice.ts';
import { arriving } from '../../../../../functions/payments/settle/movement.ts';
import { type Money, placementFor } from '../../../../../functions/payments/settle/placement.ts';
import { dayMs } from '../../../../../functions/shared/runtime/clock.ts';
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
const wonAtStripe = { ...byStripe, movement: won };
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
    sampleNowMs,
  );
  if (placement.kind === 'credit') return 'credit';
  if (placement.kind === 'unapplied') return `waits: ${placement.reason}`;
  const { paid, parts, overpaymentMinor } = placement.distribution;
  const rest = overpaymentMinor === 0 ? '' : `, ${overpaymentMinor} over`;
  const to = parts.map(({ n, amountMinor }) => `${amountMinor} to ${n}`).join(' and ');
  const line = `${placement.kind} ${paid.join(' and ')}: ${to}${rest}`;
  if (placement.kind !== 'revive') return line;
  const { startMs, invoices } = placement.revival;
  const start = startMs === undefined ? 'at the old end' : `${(startMs - sampleNowMs) / dayMs}d`;
  const open = invoices.map(({ invoiceId: _, currency: __, n, totalMinor, planOnPayment, ...more }) => {
    expect(totalMinor).toBe(999);
    const rest = Object.keys(more).length > 0 ? JSON.stringify(more).replaceAll('"', '') : '';
    return `${n} ${planOnPayment ? `for ${planOnPayment.name}` : 'again'}${rest}`;
  });
  return `${line}, ${start}: ${open.join(', ')}`;
}

const justEnded = ended({});
const lapsed = ended({ termEndMs: sampleNowMs - 22 * dayMs });
const over = ended({ termEndMs: sampleNowMs });
const longOver = ended({ termEndMs: sampleNowMs - 31 * dayMs });
/** One moment after the last one at which a payment revives it. */
const tooLateMs = sampleNowMs - 14 * dayMs - 1;
const late = ended({ termEndMs: sampleNowMs - 22 * dayMs, endedAtMs: tooLateMs });
const trial = sampleOf('trialing', onTrial);
const afterTrial = ended({ endReason: 'trial_over', trialStartMs: 0, trialEndMs: sampleNowMs - 2 * dayMs });
const cancelled = sampleOf('cancelled', { policy, endReason: 'cancelled', endedAtMs: sampleNowMs - dayMs });
const unstarted = sampleOf('expired', {
  policy,
  endReason: 'unpaid',
  endedAtMs: sampleNowMs - dayMs,
  startAtMs: sampleNowMs + dayMs,
});
const inDollars = active({ openInvoices: [{ ...openInvoice, currency: 'USD' }] });
const closed = [{}];
const reversed = [{ reversed: true }];
const dollars = { currency: 'USD' };
const yesterday = { valueAtMs: sampleNowMs - dayMs };
const yearly = [{ plan: { ...soldPlan, billingCycle: 'annual' as const } }];
const partly = [{ reversed: true, settled: { paidMinor: 300, creditNotedMinor: 1, writtenOffMinor: 698 } }];
const writtenOff = [{ settled: { writtenOffMinor: 999 }, gateway: 'stripe' as const }];
const paidBy = (money: Partial<Money>): Given => ({ money, named: 7, namedStatus: 'paid' });
const ofAmount = (amountMinor: number) => ({ money: { amountMinor } });

test.each<[string, Subscription, Given, string]>([
  ['that pays exactly', renewal, {}, 'pay 1: 999 to 1'],
  ['that names an invoice', renewal, { named: 2 }, 'pay 2: 999 to 2'],
  ['short of the tolerance', renewal, ofAmount(949), 'pay 1: 949 to 1'],
  ['short of more', renewal, ofAmount(948), 'part : 948 to 1'],
  ['of too much', renewal, ofAmount(2_000), 'pay 1 and 2: 999 to 1 and 999 to 2, 2 over'],
  ['in another currency', renewal, { money: dollars }, 'waits: currency'],
  ['by Stripe for an open invoice', renewal, { money: byStripe, named: 1 }, 'pay 1: 999 to 1'],
  ['by Stripe for a paid invoice', renewal, { money: byStripe, named: 7 }, 'waits: duplicate'],
  ['by the sandbox, for a paid one', renewal, { money: { source: 'sandbox' }, named: 7 }, 'waits: duplicate'],
  ['by Stripe for no invoice', renewal, { money: byStripe }, 'pay 1: 999 to 1'],
  ['that a dispute gives back', renewal, { money: wonAtStripe, named: 7 }, 'pay 1: 999 to 1'],
  ['that a dispute gives back for one paid otherwise', renewal, paidBy(wonAtStripe), 'waits: duplicate'],
  [
    'that a failed refund gives back',
    renewal,
    paidBy({ ...byStripe, movement: refundFailed }),
    'pay 1: 999 to 1',
  ],
  ['by transfer for a paid invoice', renewal, { named: 7 }, 'pay 1: 999 to 1'],
  ['when nothing is open', active({}), {}, 'credit'],
  ['when nothing is open, in another currency', active({}), { money: dollars }, 'waits: currency'],
  ['in the currency of the plan, when an invoice of another is open', inDollars, {}, 'waits: currency'],
  ['in a trial, before its invoice', trial, {}, 'pay 1: 999 to 1'],
  ['of a part in a trial, before its invoice', trial, ofAmount(5), 'credit'],
  ['in a trial, with credit', trial, { ...ofAmount(499), credit: { EUR: 500 } }, 'pay 1: 499 to 1'],
  [
    'in a trial with its invoice',
    sampleOf('trialing', { ...onTrial, openInvoices: [openInvoice] }),
    ofAmount(5),
    'part : 5 to 1',
  ],
  [
    'for one that was cancelled',
    namedSamplesIn('cancelled')[0]?.[1] ?? renewal,
    { closed },
    'waits: subscription_ended',
  ],
  ['for one that was replaced', ended({ endReason: 'replaced' }), { closed }, 'credit'],
  ['for one that was superseded', ended({ endReason: 'superseded' }), { closed }, 'credit'],
  ['for one that did not renew', ended({ endReason: 'not_renewed' }), { closed }, 'credit'],
  ['after the end, in another currency', justEnded, { money: dollars, closed }, 'waits: currency'],
  [
    'after the end, in that of the invoice',
    lapsed,
    { money: dollars, closed: [dollars] },
    'revive 1: 999 to 1, -7d: 1 for Pro',
  ],
  ['after the end, of two currencies', lapsed, { closed: [{}, { n: 2, currency: 'USD' }] }, 'credit'],
  [
    'after the end, in one of two currencies',
    lapsed,
    { money: dollars, closed: [{}, { n: 2, currency: 'USD' }] },
    'credit',
  ],
  ['after the end, without invoices', lapsed, {}, 'credit'],
  ['after the end, without invoices, in the term', justEnded, {}, 'credit'],
  [
    'made in time and reported too late',
    ended({ termEndMs: sampleNowMs - 22 * dayMs, endedAtMs: tooLateMs }),
    { money: { valueAtMs: sampleNowMs - 20 * dayMs }, closed },
    'credit',
  ],
  [
    'in time for a year that is not over',
    longOver,
    { money: yesterday, closed: yearly },
    'revive 1: 999 to 1, at the old end: 1 for Pro',
  ],
  [
    'in time for a term that is over now',
    ended({ termEndMs: sampleNowMs - 28 * dayMs }),
    { money: yesterday, closed },
    'revive 1: 999 to 1, -7d: 1 for Pro',
  ],
  [
    'in time for a term that is over',
    longOver,
    { money: yesterday, closed },
    'revive 1: 999 to 1, -7d: 1 for Pro',
  ],
  ['when the term ends now', over, { closed }, 'revive 1: 999 to 1, -7d: 1 for Pro'],
  ['while the term still runs', justEnded, { closed }, 'revive 1: 999 to 1, at the old end: 1 for Pro'],
  [
    'for a reversed payment and a renewal, with credit',
    lapsed,
    { ...ofAmount(1_498), credit: { EUR: 500 }, closed: [...reversed, { n: 2 }] },
    'revive 1 and 2: 499 to 1 and 999 to 2, -7d: 1 again, 2 for Pro',
  ],
  ['for a reversed payment, when the term ends now', over, { closed: reversed }, 'debt 1: 999 to 1'],
  ['for a reversed payment, when the term is over', lapsed, { closed: reversed }, 'debt 1: 999 to 1'],
  ['for a part of it', lapsed, { ...ofAmount(5), closed: reversed }, 'debt : 5 to 1'],
  [
    'for it after a cancellation, with a rest',
    cancelled,
    { ...ofAmount(1_000), closed: reversed },
    'debt 1: 999 to 1, 1 over',
  ],
  [
    'for it while the term runs, with credit',
    justEnded,
    { ...ofAmount(689), credit: { EUR: 9 }, closed: partly },
    'revive 1: 689 to 1, at the old end: 1 again{settled:{paid:300,creditNoted:1,writtenOff:698}}',
  ],
  ['after the end, of a part', lapsed, { ...ofAmount(900), closed }, 'credit'],
  ['after the end, too late', late, { closed }, 'credit'],
  [
    'too late, that a dispute gives back',
    late,
    { money: wonAtStripe, closed },
    'revive 1: 999 to 1, -7d: 1 for Pro',
  ],
  [
    'on the last day',
    ended({ termEndMs: sampleNowMs - 22 * dayMs, endedAtMs: tooLateMs + 1 }),
    { closed },
    'revive 1: 999 to 1, -7d: 1 for Pro',
  ],
  [
    'in time, with credit',
    lapsed,
    { money: { amountMinor: 700, ...yesterday }, credit: { EUR: 299 }, closed: writtenOff },
    'revive 1: 700 to 1, at the old end: 1 for Pro{settled:{writtenOff:999},atStripe:true}',
  ],
  [
    'for the invoice of a change, which was granted',
    justEnded,
    { closed: [{ isGranted: true }] },
    'revive 1: 999 to 1, at the old end: 1 again',
  ],
  [
    'for a trial that is over, in time',
    afterTrial,
    { money: yesterday, closed },
    'revive 1: 999 to 1, -2d: 1 for Pro',
  ],
  ['for a trial that is over, late', afterTrial, { closed }, 'revive 1: 999 to 1, 0d: 1 for Pro'],
  [
    'for a first invoice that was void',
    unstarted,
    { closed: [{ status: 'void' }] },
    'revive 1: 999 to 1, 1d: 1 for Pro',
  ],
])('a payment %s', (_, subscription, given, expected) => {
  // Fields of amounts and times without their units.
  expect(placed(subscription, given).replaceAll(/(Minor|Ms)\b/g, '')).toBe(expected);
});

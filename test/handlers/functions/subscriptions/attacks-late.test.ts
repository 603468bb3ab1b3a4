import { describe, expect, test, vi } from 'vitest';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { dayMs } from '../../../../functions/shared/runtime/duration.ts';
import { settlement } from '../../../../functions/subscriptions/settlement/settlement.ts';
import type { Subscription } from '../../../../functions/subscriptions/state/subscription.ts';
import {
  act,
  current,
  newClient,
  newPlan,
  newSeller,
  subscribe,
} from '../../../support/subscriptions/requests.ts';
import { dispute } from '../../../support/subscriptions/reversals.ts';
import { noonMs, onTestClock, step } from '../../../support/subscriptions/steps.ts';
import {
  expectSound,
  type StoredSubscription,
  storedSubscriptions,
} from '../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../support/subscriptions/unrendered-pdfs.ts';
import type { Tenant } from '../../../support/tenants.ts';
import { samples } from '../../../support/thoroughness.ts';

onTestClock();
leaveOutPdfs();

/** A random generator for each seed (mulberry32). */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

interface Twin {
  externalId: string;
  /** Whether its steps run on time; those of the other twin run only with its requests. */
  onTime: boolean;
  payments: { invoiceId: string; paymentId: string }[];
}

const settingsOf = (roll: (below: number) => number) => {
  const of = <T>(choices: readonly T[]) => choices[roll(choices.length)] as T;
  return {
    dunning: of([
      {},
      { reminderDays: [], endsAfterDays: 1, graceDays: 0 },
      { reminderDays: [0], endsAfterDays: 1, graceDays: 1 },
      { reminderDays: [0, 1, 2, 30], endsAfterDays: 31, graceDays: 31 },
    ]),
    trial: of([{}, { reminderDays: 365 }, { reminderDays: 0, oncePerClient: false }]),
    invoices: of([{}, { renewalDays: 0, dueDays: 0 }, { renewalDays: 365 }]),
    pendingAccess: of(['none', 'restricted', 'full']),
    checkoutMinutes: of([30, 1_440]),
  };
};

/** Index of the subscription to act on: the newest that has not ended, or else the newest. */
function newestRunning(all: StoredSubscription[]): number {
  const running = all.findLastIndex(
    ({ subscription: { status } }) => !['cancelled', 'expired'].includes(status),
  );
  return running === -1 ? all.length - 1 : running;
}

async function stepsOnTime(seller: Tenant, twin: Twin, untilMs: number): Promise<void> {
  for (let i = 0; i < 2_000; i += 1) {
    const all = await storedSubscriptions(seller, twin.externalId);
    const due = all
      .map(({ subscription }) => subscription)
      .filter(({ timer }) => timer !== undefined && timer.dueAtMs <= untilMs)
      .sort((a, b) => (a.timer?.dueAtMs ?? 0) - (b.timer?.dueAtMs ?? 0))[0];
    if (due?.timer === undefined) return;
    vi.setSystemTime(Math.max(Date.now(), due.timer.dueAtMs));
    await step(due);
    const after = (await storedSubscriptions(seller, twin.externalId)).find(
      ({ subscription }) => subscription.subscriptionId === due.subscriptionId,
    );
    // No due step is left: otherwise an execution would follow at once.
    expect(after?.subscription.timer?.dueAtMs ?? Number.POSITIVE_INFINITY).toBeGreaterThan(Date.now());
  }
  throw new Error('Its steps do not end');
}

/** @param which index among the client's subscriptions, the oldest first. */
type Command = (seller: Tenant, twin: Twin, which: number) => Promise<unknown>;

const onNewest =
  (what: 'activate' | 'cancel' | 'pause' | 'resume' | 'uncancel' | 'change', body?: () => object): Command =>
  async (seller, { externalId }, which) => {
    const found = (await storedSubscriptions(seller, externalId))[which];
    if (found === undefined) return undefined;
    return (await act(seller, what, found.subscription.subscriptionId, body?.())).status;
  };

function command(roll: (below: number) => number, plans: string[]): [string, Command] {
  const at = Date.now();
  const days = roll(40);
  const planId = plans[roll(plans.length)] ?? '';
  const autoRenew = roll(4) > 0;
  const which = roll(3);
  const create: Command = async (seller, { externalId }) =>
    (
      await subscribe(seller, {
        body: {
          externalId,
          planId,
          autoRenew,
          ...defined({ startDate: which === 0 ? new Date(at + days * dayMs).toISOString() : undefined }),
        },
      })
    ).status;
  const pay: Command = async (seller, twin) => {
    const invoices = (await storedSubscriptions(seller, twin.externalId)).flatMap(({ invoices }) => invoices);
    // Which invoices exist by now depends on the steps: take only those that both have.
    const invoice = invoices.at(-1);
    // A gateway is never asked for 0, which a free plan costs.
    if (invoice === undefined || invoice.totalMinor === 0) return undefined;
    const paymentId = `pay_${twin.externalId}_${twin.payments.length}`;
    twin.payments.push({ invoiceId: invoice.invoiceId, paymentId });
    const { invoiceId, totalMinor, currency } = invoice;
    await settlement.recordPayment({
      applicationId: seller.applicationId,
      invoiceId,
      paymentId,
      eventId: paymentId,
      amountMinor: totalMinor,
      currency,
    });
    return undefined;
  };
  const reverse: Command = async (seller, twin) => {
    const last = twin.payments.at(-1 - which) ?? twin.payments[0];
    if (last === undefined) return undefined;
    await settlement.recordReversal({
      ...dispute,
      applicationId: seller.applicationId,
      paymentId: last.paymentId,
      eventId: `${last.paymentId}-back`,
    });
    return undefined;
  };
  const refund: Command = async (seller, twin) => {
    const last = twin.payments.at(-1 - which) ?? twin.payments[0];
    if (last === undefined) return undefined;
    await settlement.recordRefund({
      applicationId: seller.applicationId,
      paymentId: last.paymentId,
      eventId: `${last.paymentId}-refund-${days}`,
      refundedMinor: days < 20 ? 300 : undefined,
      atMs: at,
    });
    return undefined;
  };
  const win: Command = async (seller, twin) => {
    const last = twin.payments.at(-1 - which) ?? twin.payments[0];
    if (last === undefined) return undefined;
    await settlement.recordReinstatement({
      ...dispute,
      applicationId: seller.applicationId,
      atMs: dispute.atMs + 1,
      paymentId: last.paymentId,
      eventId: `${last.paymentId}-won`,
    });
    return undefined;
  };
  const all: [string, Command][] = [
    [`change ${planId}`, onNewest('change', () => ({ planId }))],
    [`change ${planId} now`, onNewest('change', () => ({ planId, when: 'now' }))],
    [`transfer ${days}`, onNewest('activate', () => ({ amount: 1 + days / 4 }))],
    ['refund', refund],
    ['win', win],
    [`create ${planId} ${which === 0 ? days : ''}`, create],
    [`create ${planId}`, create],
    ['activate', onNewest('activate')],
    ['activate', onNewest('activate')],
    ['activate', onNewest('activate')],
    ['pay', pay],
    ['pay', pay],
    ['reverse', reverse],
    ['cancel', onNewest('cancel')],
    ['cancel later', onNewest('cancel', () => ({ atPeriodEnd: true }))],
    ['uncancel', onNewest('uncancel')],
    ['pause', onNewest('pause')],
    [
      `pause ${days}`,
      onNewest('pause', () => ({ resumesAt: new Date(at + (days + 1) * dayMs).toISOString() })),
    ],
    ['resume', onNewest('resume')],
    ['nothing', async () => undefined],
  ];
  return all[roll(all.length)] ?? ['nothing', async () => undefined];
}

/** The part of the state that does not depend on when the steps run. */
const essence = (all: StoredSubscription[]) =>
  all.map(({ subscription, invoices }) => {
    const {
      status,
      termStartMs,
      termEndMs,
      termIndex: terms,
      billingAnchor: anchor,
      startAtMs,
      endedAtMs,
      endReason,
    } = subscription;
    return {
      status,
      termStartMs,
      termEndMs,
      terms,
      anchor,
      startAtMs,
      endedAtMs,
      endReason,
      dunningFromMs: subscription.dunning?.fromMs,
      open: subscription.openInvoices.map(({ n }) => n),
      invoices: invoices.map(({ n, status, dueAtMs, periodStartMs, periodEndMs }) => ({
        n,
        status,
        dueAtMs,
        periodStartMs,
        periodEndMs,
      })),
    };
  });

/**
 * Compares the terms granted, in weeks, with those paid for; a pause changes neither. Changes of plan and revivals move the end
 * otherwise: their own tests recount them.
 */
function expectPaidTerms(
  { subscription, invoices, timeline }: StoredSubscription,
  weeklyPlans: Set<string>,
): void {
  if (subscription.termEndMs === undefined || invoices.some(({ plan }) => !weeklyPlans.has(plan.planId)))
    return;
  const movesEnd = (event: string) =>
    event === 'pause' || event === 'payment_revived' || event.endsWith('change_plan');
  const given = timeline.some(({ event }) => movesEnd(event))
    ? undefined
    : (subscription.termEndMs - firstStart(subscription, timeline)) / (7 * dayMs);
  const paid = invoices.filter(
    ({ status, reversed }) => ['paid', 'refunded'].includes(status) || reversed,
  ).length;
  if (given !== undefined) expect(given, 'weeks').toBe(paid);
}

function firstStart(subscription: Subscription, timeline: StoredSubscription['timeline']): number {
  const { trialEndMs, trialRemainder } = subscription;
  const begun = timeline.find(({ event }) => event === 'payment')?.atMs ?? 0;
  return trialEndMs ?? Math.max(begun, subscription.startAtMs, trialRemainder?.untilMs ?? 0);
}

/** Never 0: two records of the same millisecond have no order. */
const gaps = [1, 2, 3_600_000, dayMs, 3 * dayMs, 8 * dayMs, 20 * dayMs];
const seeds = Number(process.env.ATTACK_SEEDS ?? samples({ few: 2, many: 6 }));
const first = Number(process.env.ATTACK_FIRST ?? 1);

describe('late steps', () => {
  test.each(Array.from({ length: seeds }, (_, i) => first + i))(
    'change nothing in what is owed, granted and allowed (seed %i)',
    async (seed) => {
      const roll = dice(seed);
      vi.setSystemTime(noonMs);
      const seller = await newSeller('sandbox', settingsOf(roll));
      const weekly = await Promise.all([
        newPlan(seller, { billingCycle: 'weekly' }),
        newPlan(seller, { billingCycle: 'weekly', trialPeriodDays: 1 + roll(20) }),
      ]);
      const plans = [
        ...weekly,
        ...(roll(2) === 0
          ? [
              await newPlan(seller, { billingCycle: 'monthly' }),
              await newPlan(seller, { billingCycle: 'annual', price: 0 }),
            ]
          : []),
      ];
      const twins: Twin[] = await Promise.all(
        [true, false].map(async (onTime) => ({
          externalId: await newClient(seller),
          onTime,
          payments: [],
        })),
      );
      const log: string[] = [];
      for (let round = 0; round < 25; round += 1) {
        const exact = roll(4) === 0;
        const before = await storedSubscriptions(seller, twins[0]?.externalId ?? '');
        const dueMs = before[newestRunning(before)]?.subscription.timer?.dueAtMs;
        const atMs =
          exact && dueMs !== undefined && dueMs < Date.now() + 60 * dayMs
            ? Math.max(dueMs, Date.now() + 1)
            : Date.now() + (gaps[roll(gaps.length)] ?? 1);
        for (const twin of twins) if (twin.onTime) await stepsOnTime(seller, twin, atMs);
        vi.setSystemTime(atMs);
        const accesses = await Promise.all(
          twins.map(async ({ externalId }) => {
            const { status, body } = await current(seller, externalId);
            return status === 404 ? undefined : body.subscription.access;
          }),
        );
        expect(accesses[1], log.join('; ')).toBe(accesses[0]);
        const [name, run] = command(roll, plans);
        log.push(`${((atMs - noonMs) / dayMs).toFixed(3)} ${name}`);
        if (['pay', 'reverse'].some((one) => name.startsWith(one))) {
          // The invoice to pay must have been issued.
          for (const twin of twins) await stepsOnTime(seller, twin, atMs);
        }
        const which = newestRunning(await storedSubscriptions(seller, twins[0]?.externalId ?? ''));
        const statuses: unknown[] = [];
        for (const twin of twins) statuses.push(await run(seller, twin, which));
        expect(statuses[1], log.join('; ')).toBe(statuses[0]);
        for (const { externalId } of twins) await expectSound(seller, externalId);
      }
      for (const twin of twins) await stepsOnTime(seller, twin, Date.now());
      const [punctual = [], late = []] = await Promise.all(
        twins.map(({ externalId }) => storedSubscriptions(seller, externalId)),
      );
      expect(essence(late), log.join('; ')).toEqual(essence(punctual));
      for (const one of [...punctual, ...late]) expectPaidTerms(one, new Set(weekly));
    },
  );
});

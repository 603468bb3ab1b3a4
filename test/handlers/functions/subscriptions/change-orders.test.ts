import { describe, expect, test } from 'vitest';
import { dayMs } from '../../../../functions/shared/runtime/duration.ts';
import { restOf, termsAt } from '../../../../functions/subscriptions/state/paid-terms.ts';
import {
  act,
  good,
  newClient,
  newPlan,
  newSeller,
  subscribedByTransfer,
} from '../../../support/subscriptions/requests.ts';
import { daysLater, onTestClock, step } from '../../../support/subscriptions/steps.ts';
import {
  expectSound,
  itemsOf,
  stateOf,
  storedSubscription,
} from '../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../support/subscriptions/unrendered-pdfs.ts';
import type { Tenant } from '../../../support/tenants.ts';

onTestClock();
leaveOutPdfs();

interface One {
  seller: Tenant;
  id: string;
  externalId: string;
  plans: { dearer: string; cheaper: string; yearly: string };
}

/** A paid subscription of 31 days at 31.00 EUR, after some days: one EUR is used for each. */
async function usedFor(days: number): Promise<One> {
  const seller = await newSeller();
  const [externalId, planId, dearer, cheaper, yearly] = await Promise.all([
    newClient(seller),
    newPlan(seller, { price: 31 }),
    newPlan(seller, { name: 'Dearer', price: 62 }),
    newPlan(seller, { name: 'Cheaper', price: 15.5 }),
    newPlan(seller, { name: 'Yearly', price: 500, billingCycle: 'annual' }),
  ]);
  const id = await subscribedByTransfer(seller, { externalId, planId });
  daysLater(days);
  return { seller, id, externalId, plans: { dearer, cheaper, yearly } };
}

const changes: Record<string, (one: One) => Promise<unknown>> = {
  'a dearer plan': ({ seller, id, plans }) => act(seller, 'change', id, { planId: plans.dearer }),
  'a cheaper plan at once': ({ seller, id, plans }) =>
    act(seller, 'change', id, { planId: plans.cheaper, when: 'now' }),
  'a cheaper plan at the end': ({ seller, id, plans }) =>
    act(seller, 'change', id, { planId: plans.cheaper }),
  'a yearly plan': ({ seller, id, plans }) =>
    act(seller, 'change', id, { planId: plans.yearly, when: 'now' }),
};
const others: Record<string, (one: One) => Promise<unknown>> = {
  activate: ({ seller, id }) => act(seller, 'activate', id),
  cancel: ({ seller, id }) => act(seller, 'cancel', id),
  'cancel at the end': ({ seller, id }) => act(seller, 'cancel', id, { atPeriodEnd: true }),
  uncancel: ({ seller, id }) => act(seller, 'uncancel', id),
  pause: ({ seller, id }) => act(seller, 'pause', id),
  resume: ({ seller, id }) => act(seller, 'resume', id),
  'autoRenew off': ({ seller, id }) => act(seller, 'update', id, { autoRenew: false, reason: 'asked' }),
  // After a change, it may not be due any more.
  'the renewal step': async ({ seller, externalId }) =>
    step(await stateOf(seller, externalId)).catch(() => undefined),
  ...changes,
};

/** What is owed or paid, less what credit notes gave back, less what the rest of the terms is worth. In minor units. */
async function usedMinor({ seller, externalId }: One): Promise<number> {
  const { subscription, invoices } = await storedSubscription(seller, externalId);
  const items = await itemsOf(seller, externalId);
  const credited = items
    .filter(({ sk }) => sk.startsWith('CREDITNOTE#'))
    .reduce((sum, { totalMinor }) => sum + Number(totalMinor), 0);
  const granted = invoices.filter(
    ({ n, status }) =>
      status === 'paid' ||
      subscription.openInvoices.some((open) => open.n === n && open.planOnPayment === undefined),
  );
  const charged = granted.reduce((sum, { totalMinor }) => sum + totalMinor, 0);
  const nowMs = Date.now();
  const rest = termsAt(subscription, nowMs).reduce(
    (sum, term) => sum + restOf(term, term.priceMinor, nowMs),
    0,
  );
  return charged - credited - rest;
}

/** Each event before one change and after another one. */
const pairs = Object.keys(others).flatMap((other, i) => {
  const [before = '', after = ''] = [i, i + 1].map((at) => Object.keys(changes).at(at % 4));
  return [
    { first: before, second: other },
    { first: other, second: after },
  ];
});

describe('a change of plan beside every other event', () => {
  test.each(pairs)(
    'charges exactly the days that are used: $first, then $second',
    async ({ first, second }) => {
      // The renewal invoice is issued on day 24.
      const days = [first, second].includes('the renewal step') ? 24 : 10;
      const one = await usedFor(days);
      await others[first]?.(one);
      await others[second]?.(one);
      await expectSound(one.seller, one.externalId);
      const subscription = await stateOf(one.seller, one.externalId);
      // What an ended subscription had not paid is void.
      if (subscription.status === 'cancelled') return;
      expect(Math.abs((await usedMinor(one)) - days * 100)).toBeLessThanOrEqual(2);
    },
  );
});

describe('concurrent requests', () => {
  test.each(['activate', 'cancel', 'the renewal step'])(
    'for changes to four plans beside two of %s leave sound books',
    async (other) => {
      const one = await usedFor(10);
      const raced = await Promise.all([
        ...Object.values(changes).map((change) => change(one)),
        ...Array.from({ length: 2 }, () => others[other]?.(one).catch(() => undefined)),
      ]);
      expect(raced).toHaveLength(6);
      await expectSound(one.seller, one.externalId);
      const subscription = await stateOf(one.seller, one.externalId);
      if (subscription.status !== 'active') return;
      // At most four changes were rounded.
      expect(Math.abs((await usedMinor(one)) - 1_000)).toBeLessThanOrEqual(4);
    },
  );
});

describe('a preview', () => {
  test.each(Object.keys(changes).flatMap((change) => [3.7, 20.9].map((days) => ({ change, days }))))(
    'says what the change then does, and writes nothing: $change, $days days later',
    async ({ change, days }) => {
      const one = await usedFor(10);
      daysLater(days);
      const { dearer, cheaper, yearly } = one.plans;
      const planId = { 'a dearer plan': dearer, 'a yearly plan': yearly }[change] ?? cheaper;
      const body = { planId, when: change === 'a cheaper plan at the end' ? 'period_end' : 'now' };
      const before = await storedSubscription(one.seller, one.externalId);
      const { preview } = good(await act(one.seller, 'change-preview', one.id, body));
      expect(await storedSubscription(one.seller, one.externalId)).toEqual(before);
      const { quotedAt } = preview;
      const changed = await act(one.seller, 'change', one.id, { ...body, quotedAt });
      // Steps that were due have come first.
      expect(good(changed).change).toEqual(preview);
      const { subscription, invoices } = await storedSubscription(one.seller, one.externalId);
      const { amountDue, endDate, dueAt } = preview;
      expect(new Date(subscription.termEndMs ?? 0).toISOString()).toBe(endDate);
      const issued = invoices.find(
        ({ issuedAtMs, status }) => issuedAtMs === Date.now() && status === 'open',
      );
      const isRenewal = issued?.periodStartMs === subscription.termEndMs;
      if (amountDue > 0) expect(issued?.totalMinor).toBe(Math.round(amountDue * 100));
      if (dueAt !== undefined) expect(new Date(issued?.dueAtMs ?? 0).toISOString()).toBe(dueAt);
      if (amountDue === 0) expect(issued === undefined || isRenewal).toBe(true);
      expect(Date.now() - Date.parse(quotedAt)).toBeLessThan(dayMs);
    },
  );
});

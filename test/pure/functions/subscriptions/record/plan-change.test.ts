import fc from 'fast-check';
import { dueMinor } from '../../../../../functions/invoices/due.ts';
import { type Invoice, type PlanSnapshot, planAmount } from '../../../../../functions/invoices/invoice.ts';
import type { BillingCycle } from '../../../../../functions/plans/plan.ts';
import { dayMs, minuteMs } from '../../../../../functions/shared/runtime/clock.ts';
import { type Change, decide } from '../../../../../functions/subscriptions/machine/decide.ts';
import type { EventName } from '../../../../../functions/subscriptions/machine/event.ts';
import { invoicesAfter } from '../../../../../functions/subscriptions/machine/invoice-changes.ts';
import { planAt, restOf, termsAt } from '../../../../../functions/subscriptions/record/paid-terms.ts';
import { isUpgrade } from '../../../../../functions/subscriptions/record/plan-change.ts';
import type { Subscription } from '../../../../../functions/subscriptions/record/subscription.ts';
import { soldPlan, subscriptionRecord } from '../../../../support/subscriptions/sold.ts';
import { type ContextFields, sampleContext } from '../../../../support/subscriptions/state-samples.ts';
import { paying } from '../machine/courses/given.ts';

const startMs = Date.parse('2027-01-31T12:00:00.000Z');

/** A term as a bookkeeper keeps it: what each millisecond of it costs, pauses left out. */
interface BookedTerm {
  fromMs: number;
  untilMs: number;
  lengthMs: number;
  price: number;
}

/**
 * A subscription that is driven through the decisions of the lifecycle, and the books of it, which share no code with
 * them: fractions instead of rounded amounts.
 */
class Course {
  subscription: Subscription;
  invoices: Invoice[] = [];
  nowMs = startMs;
  creditedMinor = 0;
  roundings = 0;
  used = 0;
  terms: BookedTerm[] = [];
  #accountedMs = startMs;

  constructor(plan: PlanSnapshot) {
    this.subscription = subscriptionRecord({
      status: 'pending',
      plan,
      startAtMs: startMs,
      paymentDeadlineMs: startMs + 21 * dayMs,
      revision: 1,
    });
    const openInvoices = [
      {
        n: 1,
        invoiceId: 'inv_1',
        totalMinor: planAmount(plan),
        currency: plan.currency,
        planOnPayment: plan,
      },
    ];
    this.subscription = { ...this.subscription, invoiceCount: 1, openInvoices };
    const totalMinor = planAmount(plan);
    const lines = [{ description: 'Pro', quantity: 1, amountMinor: totalMinor }];
    this.invoices = [{ n: 1, invoiceId: 'inv_1', status: 'open', totalMinor, lines } as unknown as Invoice];
    this.invoices = this.invoices.map((one) => ({
      ...one,
      subscriptionId: this.subscription.subscriptionId,
    }));
    this.pay();
  }

  /** @returns the change, if the event is allowed. */
  take(event: EventName, more: ContextFields = {}): Change | undefined {
    const context = sampleContext(event, {
      paid: [],
      nowMs: this.nowMs,
      atMs: this.nowMs,
      client: { email: 'ann@example.com' },
      newInvoiceId: () => `inv_${Math.random()}`,
      newCreditNoteId: () => `crn_${Math.random()}`,
      resumesAtMs: undefined,
      ...more,
    });
    const decision = decide(this.subscription, context);
    if (decision.kind !== 'changed') return undefined;
    const { change } = decision;
    this.book(change);
    this.invoices = invoicesAfter(change, this.invoices);
    this.subscription = change.next;
    this.creditedMinor += change.creditNotes.reduce((sum, { totalMinor }) => sum + totalMinor, 0);
    return change;
  }

  /** Books a term that a payment grants, or the renewal of a free plan. */
  book({ event, previous, next: { termStartMs = 0, termEndMs = 0, plan } }: Change): void {
    if (event !== 'payment' && event !== 'renewal_invoice') return;
    if (previous?.termEndMs === termEndMs) return;
    const lengthMs = termEndMs - termStartMs;
    this.terms.push({ fromMs: termStartMs, untilMs: termEndMs, lengthMs, price: planAmount(plan) });
  }

  /** Pays everything that is open. */
  pay(): void {
    const open = this.subscription.openInvoices;
    if (open.length === 0) return;
    const parts = open.map((invoice) => [invoice.n, dueMinor(invoice)] as const);
    this.take('payment', { paid: open.map(({ n }) => n), ...paying(999, { parts }) });
  }

  /** Time passes, with its steps. What is used of the terms is accounted for. */
  wait(ms: number): void {
    const untilMs = this.nowMs + ms;
    for (let steps = 0; steps < 50; steps += 1) {
      const { timer, plan, plannedChange = plan } = this.subscription;
      if (timer === undefined || timer.dueAtMs > untilMs) break;
      this.nowMs = Math.max(this.nowMs, timer.dueAtMs);
      const { policy, gateway, seller } = this.subscription;
      this.take(timer.step, {
        atMs: timer.dueAtMs,
        by: 'timer',
        renewal: { plan: plannedChange, policy, gateway, seller },
      });
      // Nothing is overdue in this course.
      if (timer.step === 'invoice_due' || timer.step === 'term_end') this.pay();
    }
    this.nowMs = untilMs;
    this.account();
  }

  account(): void {
    const at = this.#accountedMs;
    for (const { fromMs, untilMs, lengthMs, price } of this.terms)
      this.used += (price * Math.max(0, Math.min(untilMs, this.nowMs) - Math.max(fromMs, at))) / lengthMs;
    this.#accountedMs = this.nowMs;
  }

  change(plan: PlanSnapshot): Change | undefined {
    const { policy, gateway, seller } = this.subscription;
    const change = this.take('change_plan', {
      planChange: { plan, proration: 'credit', invoices: this.invoices },
      // A renewal that the change makes due is of the new plan.
      renewal: { plan, policy, gateway, seller },
    });
    if (change === undefined) return undefined;
    const later = this.terms.filter(({ untilMs }) => untilMs > this.nowMs);
    // The rest of each term is rounded where it is credited, and where it is charged anew.
    this.roundings += Math.max(1, later.length);
    const isSameCycle = change.previous?.billingAnchor?.cycle === plan.billingCycle;
    const { termStartMs = 0, termEndMs = 0 } = change.next;
    const granted = {
      fromMs: termStartMs,
      untilMs: termEndMs,
      lengthMs: termEndMs - termStartMs,
      price: planAmount(plan),
    };
    const kept = isSameCycle ? later.map((term) => ({ ...term, price: planAmount(plan) })) : [];
    // A renewal that the change makes due grants the next term with it, where the plan is free.
    const isGranted = !isSameCycle || change.previous?.termEndMs !== termEndMs;
    this.terms = [...kept, ...(isGranted ? [granted] : [])];
    return change;
  }

  pause(ms: number): void {
    if (this.take('pause') === undefined) return;
    this.nowMs += ms;
    this.#accountedMs = this.nowMs;
    this.take('resume');
    this.terms = this.terms.map((term) =>
      term.untilMs > this.nowMs - ms
        ? {
            ...term,
            untilMs: term.untilMs + ms,
            fromMs: term.fromMs + (term.fromMs > this.nowMs - ms ? ms : 0),
          }
        : term,
    );
  }

  /** The charges for terms, less the credits. Renewal invoices that are open granted nothing yet. */
  get charged(): number {
    const owed = this.invoices.filter(({ n, status }) => {
      const open = this.subscription.openInvoices.find((one) => one.n === n);
      return status === 'paid' || (open !== undefined && open.planOnPayment === undefined);
    });
    return owed.reduce((sum, { totalMinor }) => sum + totalMinor, 0) - this.creditedMinor;
  }

  /** The value of the unused terms. */
  get unused(): number {
    return this.terms.reduce(
      (sum, { fromMs, untilMs, lengthMs, price }) =>
        sum + (price * Math.max(0, untilMs - Math.max(fromMs, this.nowMs))) / lengthMs,
      0,
    );
  }
}

const cycles: readonly BillingCycle[] = ['weekly', 'monthly', 'quarterly', 'annual'];
const anyPlan = fc
  .record({
    id: fc.integer({ min: 1, max: 9 }),
    priceMinor: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 100_000 })),
    billingCycle: fc.oneof(
      { weight: 3, arbitrary: fc.constant<BillingCycle>('monthly') },
      fc.constantFrom(...cycles),
    ),
    quantity: fc.option(fc.integer({ min: 1, max: 50 }), { nil: 1 }),
  })
  .map(
    ({ id, ...plan }): PlanSnapshot => ({ ...soldPlan, planId: `pln_${id}`, name: `Plan ${id}`, ...plan }),
  );
const anyStep = fc.oneof(
  fc.record({ wait: fc.integer({ min: 1, max: 40 * 24 * 60 }) }),
  fc.record({ wait: fc.integer({ min: 1, max: 10 }) }),
  fc.record({ change: anyPlan }),
  fc.record({ pause: fc.integer({ min: 1, max: 20 * 24 * 60 }) }),
  fc.record({ pay: fc.constant(true) }),
);

describe('the money of a subscription whose plan changes', () => {
  test('charged less credited is what was used and what is left, to one minor unit for each change and term', () => {
    fc.assert(
      fc.property(anyPlan, fc.array(anyStep, { minLength: 1, maxLength: 25 }), (plan, steps) => {
        const course = new Course(plan);
        for (const step of steps) {
          if ('wait' in step) course.wait(step.wait * minuteMs);
          if ('change' in step) course.change(step.change);
          if ('pause' in step) course.pause(step.pause * minuteMs);
          if ('pay' in step) course.pay();
          const { status } = course.subscription;
          if (status !== 'active') return;
          expect(Math.abs(course.charged - course.used - course.unused)).toBeLessThanOrEqual(
            course.roundings + 0.001,
          );
          // The record of the terms agrees with the books.
          expect(termsAt(course.subscription, course.nowMs).map(({ untilMs }) => untilMs)).toEqual(
            course.terms.map(({ untilMs }) => untilMs).filter((untilMs) => untilMs > course.nowMs),
          );
        }
      }),
      { numRuns: 60 },
    );
  });

  test('the rest of a term that was paid ahead is credited whole, though a change before it credited its invoice', () => {
    const course = new Course({ ...soldPlan, priceMinor: 1_400 });
    course.wait(21 * dayMs);
    // The next term, which begins after seven days.
    course.pay();
    course.change({ ...soldPlan, planId: 'pln_small', priceMinor: 300 });
    course.wait(8 * dayMs);
    course.change({ ...soldPlan, planId: 'pln_free', priceMinor: 0 });
    expect(Math.abs(course.charged - course.used)).toBeLessThanOrEqual(course.roundings);
  });

  test('a change at once and back within the same millisecond costs nothing', () => {
    fc.assert(
      fc.property(anyPlan, anyPlan, fc.integer({ min: 0, max: 27 * 24 * 60 }), (plan, other, minutes) => {
        const first = { ...plan, planId: 'pln_a' };
        const second = { ...other, planId: 'pln_b', billingCycle: plan.billingCycle };
        const course = new Course(first);
        course.wait(minutes * minuteMs);
        const { termEndMs, timer } = course.subscription;
        // A renewal that is due by a change can grant the next term: it is free, or credit covers it.
        fc.pre(timer?.step === 'renewal_invoice');
        const before = course.charged;
        course.change(second);
        course.change(first);
        expect([course.charged, course.subscription.termEndMs]).toEqual([before, termEndMs]);
      }),
    );
  });

  test('no credit exceeds what was charged and not credited before', () => {
    fc.assert(
      fc.property(fc.array(anyPlan, { minLength: 1, maxLength: 12 }), (plans) => {
        const course = new Course({ ...soldPlan, priceMinor: 5_000 });
        for (const plan of plans) {
          course.change(plan);
          expect(course.charged).toBeGreaterThanOrEqual(0);
          for (const { amountMinor } of course.subscription.charges ?? [])
            expect(amountMinor).toBeGreaterThanOrEqual(0);
        }
      }),
    );
  });
});

describe('the rest of a term', () => {
  const term = { fromMs: 0, untilMs: 1_000, priceMinor: 999 };

  test.each([
    [0, 999],
    [-5, 999],
    [500, 500],
    [999, 1],
    [1_000, 0],
    [2_000, 0],
  ])('at millisecond %i of 1,000 is worth %i of 999, rounded half up', (atMs, worth) => {
    expect(restOf(term, 999, atMs)).toBe(worth);
  });

  test('is not worth more after a pause, which only moved its end', () => {
    expect(restOf({ ...term, untilMs: 1_400, pausedMs: 400 }, 1_000, 900)).toBe(500);
  });

  test('is exact beyond the safe integers', () => {
    const year = { fromMs: 0, untilMs: 365 * dayMs, priceMinor: 0 };
    expect(restOf(year, 1_000_000_000_000_000, 365 * dayMs - 1)).toBe(31_710);
  });
});

describe('a plan', () => {
  test.each<[number, BillingCycle, number, number, BillingCycle, number, boolean]>([
    [1_000, 'monthly', 1, 1_001, 'monthly', 1, true],
    [1_000, 'monthly', 1, 1_000, 'monthly', 1, false],
    [1_000, 'monthly', 1, 11_999, 'annual', 1, false],
    [1_000, 'monthly', 1, 12_001, 'annual', 1, true],
    [1_000, 'weekly', 1, 4_300, 'monthly', 1, false],
    [1_000, 'weekly', 1, 4_400, 'monthly', 1, true],
    [1_000, 'monthly', 2, 1_500, 'monthly', 1, false],
    [1_000, 'monthly', 2, 1_000, 'monthly', 3, true],
  ])(
    'of %i %s times %i, to %i %s times %i: is an upgrade %s',
    (from, cycle, count, to, toCycle, toCount, is) => {
      const plan = (priceMinor: number, billingCycle: BillingCycle, quantity: number) => ({
        ...soldPlan,
        priceMinor,
        billingCycle,
        quantity,
      });
      expect(isUpgrade(plan(from, cycle, count), plan(to, toCycle, toCount))).toBe(is);
    },
  );

  test('of a later term that was paid early applies from that term on', () => {
    const other = { ...soldPlan, planId: 'pln_other' };
    const course = new Course({ ...soldPlan, priceMinor: 1_000 });
    course.take('schedule_plan_change', { planChange: { plan: other, proration: 'credit', invoices: [] } });
    const { termEndMs = 0 } = course.subscription;
    course.wait(termEndMs - course.nowMs - dayMs);
    course.pay();
    expect(planAt(course.subscription, termEndMs - 1).planId).toBe(soldPlan.planId);
    expect(planAt(course.subscription, termEndMs).planId).toBe('pln_other');
  });
});

/** Courses of subscriptions: events one after another, with the money and the invoices that they leave. */

import type { Invoice } from '../../../../../../functions/invoices/invoice.ts';
import { creditAfter } from '../../../../../../functions/ledger/entry.ts';
import { dayMs } from '../../../../../../functions/shared/runtime/clock.ts';
import { decide } from '../../../../../../functions/subscriptions/machine/decide.ts';
import type {
  EventName,
  TransitionContext,
} from '../../../../../../functions/subscriptions/machine/event.ts';
import { invoicesAfter } from '../../../../../../functions/subscriptions/machine/invoice-changes.ts';
import { nextStep } from '../../../../../../functions/subscriptions/record/next-step.ts';
import type {
  Subscription,
  UnstartedSubscription,
} from '../../../../../../functions/subscriptions/record/subscription.ts';
import { invoiceRecord } from '../../../../../support/subscriptions/sold.ts';
import {
  type ContextFields,
  sampleContext,
  sampleNowMs,
} from '../../../../../support/subscriptions/state-samples.ts';
import { decisionText } from '../decision-text.ts';

type More = ContextFields;
export type Step =
  | readonly [event: EventName, more?: More | ((course: State) => More)]
  | readonly [days: number];

interface State {
  readonly subscription: Subscription | UnstartedSubscription;
  readonly invoices: readonly Invoice[];
}

export interface Course {
  readonly from: Subscription | UnstartedSubscription;
  readonly client?: Partial<TransitionContext['client']>;
  readonly steps: readonly Step[];
}

const maxSteps = 30;

/** Other defaults than those of the samples. */
const defaults = { resumesAtMs: undefined, paid: [] };

/** A line for each event. A number of days passes with the steps that are due in them, each on time. */
export function courseLines({ from, client = {}, steps }: Course): string[] {
  const lines: string[] = [];
  let credit: Readonly<Record<string, number>> = client.credit ?? {};
  const timer = from.status === 'none' ? undefined : nextStep(from);
  let subscription = timer === undefined ? from : { ...from, timer };
  let invoices: readonly Invoice[] =
    from.status === 'none'
      ? []
      : (from.charges ?? []).map(({ n, amountMinor: totalMinor }) =>
          invoiceRecord(from, n, {
            invoiceId: `inv_${n}`,
            status: 'paid',
            totalMinor,
            settled: { paidMinor: totalMinor },
          }),
        );
  let nowMs = sampleNowMs;
  const take = (event: EventName, more: More) => {
    const context = sampleContext(event, {
      nowMs,
      atMs: more.nowMs ?? nowMs,
      ...defaults,
      ...more,
      client: { email: 'ann@example.com', name: 'Ann', ...client, credit },
    });
    const decision = decide(subscription, context);
    lines.push(`${event}: ${decisionText(subscription, decision, context)}`);
    if (decision.kind !== 'changed') return;
    const { change } = decision;
    invoices = invoicesAfter(change, invoices);
    subscription = change.next;
    credit = creditAfter(credit, change.books);
  };
  const pass = (untilMs: number) => {
    for (let taken = 0; ; taken += 1) {
      const { timer } = subscription;
      if (timer === undefined || timer.dueAtMs > untilMs) break;
      if (taken === maxSteps) throw new Error(`${timer.step} stays due`);
      nowMs = Math.max(nowMs, timer.dueAtMs);
      const { plan, plannedChange = plan, policy, gateway, seller } = subscription;
      take(timer.step, {
        by: 'timer',
        atMs: timer.dueAtMs,
        renewal: { plan: plannedChange, policy, gateway, seller },
      });
    }
    nowMs = untilMs;
  };
  for (const [first, more = {}] of steps) {
    if (typeof first === 'number') pass(nowMs + first * dayMs);
    else take(first, typeof more === 'function' ? more({ subscription, invoices }) : more);
  }
  return lines;
}

import { handler as deliver } from '../../../functions/notices/deliver.ts';
import { dayMs, hourMs } from '../../../functions/shared/runtime/clock.ts';
import type { Subscription } from '../../../functions/subscriptions/record/subscription.ts';
import { handler as sweep } from '../../../functions/subscriptions/sweep-timers.ts';
import { handler as fanOut } from '../../../functions/webhooks/fan-out.ts';
import { installDate } from '../../../lib/local/clock.ts';
import { invokeTimer } from '../../../lib/local/functions.ts';
import { good, newSeller } from '../../support/call.ts';
import { newEventGroups, newOutboxEntries } from '../../support/notices/new-entries.ts';
import { streamEvent } from '../../support/table/stream.ts';
import { metered } from '../capacity/meter.ts';
import { deployedFonts } from '../cases/deployed-fonts.ts';
import { storedSubscription } from '../cases/past.ts';
import { billedSeconds } from './prices.ts';
import { driveTimers } from './timer-driver.ts';

/** How and when a subscriber pays. */
export interface Habit {
  what: string;
  trialPeriodDays?: number;
  billingCycle?: 'monthly' | 'annual';
  /** When renewal invoices are paid, in days after the end of the term; negative before it. If absent, nothing is paid. */
  paysAfterDays?: number;
}

/** The kinds of subscriptions that are counted. */
export const habits: readonly Habit[] = [
  { what: 'monthly, paid on time', paysAfterDays: -5 },
  { what: 'monthly, paid 3 days late', paysAfterDays: 3 },
  { what: 'annual, paid on time', billingCycle: 'annual', paysAfterDays: -5 },
  { what: 'a trial, not paid', trialPeriodDays: 14 },
  { what: 'by bank transfer, not paid' },
];

/** The requests and costs of a year of one subscription, including the API calls of its application. */
export interface Year {
  transitions: number;
  executions: number;
  /** Invocations by timers. */
  invocations: number;
  apiCalls: number;
  writeUnits: number;
  readUnits: number;
  mails: number;
  /** Billed seconds of the functions, estimated. */
  billedSeconds: number;
}

const sweepMs = 6 * hourMs;
/** Read units of a sweep that finds nothing, which are not a cost of one subscription. */
const emptySweepReadUnits = 2;

/** Runs a year of one subscription from its creation, with the sweep and the horizon of a deployment. */
export async function yearOf({
  trialPeriodDays = 0,
  billingCycle = 'monthly',
  paysAfterDays,
}: Habit): Promise<Year> {
  await deployedFonts();
  const startMs = Date.now();
  let heldMs = startMs;
  const restore = installDate(() => heldMs);
  const year: Year = {
    transitions: 0,
    executions: 0,
    invocations: 0,
    apiCalls: 0,
    writeUnits: 0,
    readUnits: 0,
    mails: 0,
    billedSeconds: 0,
  };

  async function counted<T>(work: () => Promise<T>, kind: 'apiCalls' | 'invocations'): Promise<T> {
    let result: { value: T } | undefined;
    const meter = await metered(async () => {
      result = { value: await work() };
    });
    year[kind] += 1;
    year.writeUnits += meter.writeUnits;
    year.readUnits += meter.readUnits;
    year.mails += meter.mails;
    year.billedSeconds += billedSeconds({ ...meter, roundTrips: meter.roundTrips + meter.afterMail });
    if (result === undefined) throw new Error('There was no response');
    return result.value;
  }
  const timers = driveTimers((id, input) => counted(() => invokeTimer(id, input), 'invocations'));
  const known = new Set<string>();
  /**
   * Hands over the new entries of the outbox and the new events as the stream does, one run for those of a change. A consumer
   * gets those of many subscriptions at once, so that the figures are the highest. The application has no webhook.
   */
  async function handOver(): Promise<void> {
    const entries = await newOutboxEntries(known);
    if (entries.length > 0) await counted(() => deliver(streamEvent(entries)), 'invocations');
    const groups = await newEventGroups(known);
    if (groups.length > 0) await counted(() => fanOut(streamEvent(groups)), 'invocations');
  }

  try {
    const seller = await newSeller();
    const planId = await seller.newPlan({ trialPeriodDays, billingCycle });
    const externalId = await counted(() => seller.newClient(), 'apiCalls');
    const created = await counted(() => seller.subscribe({ body: { externalId, planId } }), 'apiCalls');
    const id: string = good(created).subscription._id;
    await handOver();
    const activate = async () => good(await counted(() => seller.act('activate', id), 'apiCalls'));
    const now = (): Promise<Subscription> => storedSubscription(seller, { id, externalId });
    await timers.runDue();
    // A transfer takes a day.
    let payAtMs = paysAfterDays === undefined ? undefined : startMs + dayMs;
    let nextSweepMs = startMs + sweepMs;

    while (heldMs < startMs + 365 * dayMs) {
      const moments = [nextSweepMs, timers.nextDueMs(), payAtMs].filter((ms) => ms !== undefined);
      heldMs = Math.max(heldMs, Math.min(...moments));
      if (heldMs >= startMs + 365 * dayMs) break;
      if (heldMs >= nextSweepMs) {
        nextSweepMs += sweepMs;
        await sweepIfDue(await now());
      }
      if (payAtMs !== undefined && heldMs >= payAtMs) {
        payAtMs = undefined;
        await activate();
      }
      await timers.runDue();
      await handOver();
      const { openInvoices, termEndMs } = await now();
      if (
        paysAfterDays !== undefined &&
        payAtMs === undefined &&
        openInvoices.length > 0 &&
        termEndMs !== undefined
      ) {
        payAtMs = termEndMs + paysAfterDays * dayMs;
      }
    }
  } finally {
    timers.stop();
    restore();
  }
  return { ...year, transitions: timers.transitions(), executions: timers.executions() };

  /** Counts a sweep that finds the subscription. */
  async function sweepIfDue({ timer }: Subscription): Promise<void> {
    if (timer === undefined || timer.dueAtMs > heldMs + 48 * hourMs) return;
    const before = { invocations: year.invocations, billedSeconds: year.billedSeconds };
    await counted(() => sweep(), 'invocations');
    // A sweep finds many subscriptions: its invocation is not a cost of this one.
    Object.assign(year, before);
    year.readUnits -= emptySweepReadUnits;
  }
}

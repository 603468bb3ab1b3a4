import { dueShards } from '../../../functions/shared/contract/keys.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../functions/shared/runtime/duration.ts';
import { stageSettings } from '../../../lib/stages.ts';
import { billedSeconds } from '../cost/prices.ts';
import { type Figures, requestOf } from '../figures/figures.ts';
import { quotas } from './quotas.ts';
import { TokenBucket } from './token-bucket.ts';

/** What limits a renewal of many subscriptions at one time. */
interface Limits {
  readonly what: string;
  readonly startExecution: { readonly bucket: number; readonly perSecond: number };
  readonly stateTransition: { readonly bucket: number; readonly perSecond: number };
  readonly mailsPerSecond: number;
  readonly mailsPerDay: number;
  /** The setting of the stage, which is the rate of `drain-outbox`. */
  readonly drainedPerSecond: number;
  /** Whether a sweep walks past timers whose execution an earlier sweep has started. */
  readonly sweepSkipsStarted: boolean;
  /** Partitions of the index of due work, of each kind. */
  readonly shards: number;
}

/** As deployed, with the default quotas. */
const deployed: Limits = {
  what: 'as deployed, default quotas',
  ...quotas,
  drainedPerSecond: stageSettings('prod').mailsPerSecond,
  sweepSkipsStarted: false,
  shards: dueShards,
};
const mails: Limits = {
  ...deployed,
  what: 'SES: 300 mails a second, 2 million a day; `mailsPerSecond`: 50',
  mailsPerSecond: 300,
  mailsPerDay: 2_000_000,
  drainedPerSecond: 50,
};
const skipping: Limits = { ...mails, what: 'and the sweep skips what it started', sweepSkipsStarted: true };

/** Each scenario lifts what limits the one before it. */
const scenarios: readonly Limits[] = [deployed, mails, skipping];

/** The result; hours are after the due time, rates are the highest of any second. */
export interface Renewal {
  readonly startedBefore: number;
  readonly invoicesHours: number;
  readonly mailsHours: number;
  readonly stepsPerSecond: number;
  readonly concurrency: number;
  readonly writeUnits: number;
  readonly partitionUnits: number;
}

const seconds = (ms: number) => ms / secondMs;
const horizon = seconds(2 * dayMs);
const daySeconds = seconds(dayMs);
const sweepEvery = seconds(6 * hourMs);
const sweepTimeout = seconds(15 * minuteMs);
/** A run of `drain-outbox` sends the `mailsPerSecond` of the stage for four and a half minutes of every five. */
const drain = { every: seconds(5 * minuteMs), lasts: seconds(4.5 * minuteMs) };
/** A run of `deliver-outbox` sends for half a minute, and leaves the rest to `drain-outbox`. */
const deliverySeconds = 30;
/** States entered after the wait: the step. */
const transitionsAfterWait = 1;

/** Invoices of one second, of which some mails are not yet sent. */
interface Cohort {
  readonly atSecond: number;
  unsent: number;
}

/**
 * Renews many subscriptions of which all are due in the same second, second by second. Nothing is random.
 *
 * The sweep starts executions in the order of the index, at the rate of the quota of StartExecution: a start that is
 * repeated for a running execution counts too. The waits end together, and the states after them are entered at the
 * rate of the quota of transitions and of the partitions of the index. The stream hands the mails on, and those that are
 * too many for the rate of SES are delivered by `drain-outbox`.
 */
function renewAtOnce(subscriptions: number, figures: Figures, limits: Limits): Renewal {
  const each = needsOf(figures);
  const starts = new TokenBucket(limits.startExecution);
  const entered = new TokenBucket(limits.stateTransition);
  const mailQueue = mailer(limits);
  const stepsByPartitions = Math.floor((quotas.partitionWriteUnits * limits.shards) / each.dueUnits);
  const count = { started: 0, walked: 0, done: 0, sent: 0 };
  let startedBefore = 0;
  let invoicesAt = 0;
  let peak = 0;
  let second = -horizon;
  for (; count.sent < subscriptions; second += 1) {
    const clock = second + horizon;
    if (second === 0) startedBefore = count.started;
    if (clock % sweepEvery === 0) count.walked = limits.sweepSkipsStarted ? count.started : count.done;
    if (clock % sweepEvery < sweepTimeout) {
      // What is done has left the index.
      count.walked = Math.max(count.walked, count.done);
      count.walked += starts.takeUpTo(subscriptions - count.walked, clock);
      count.started = Math.max(count.started, count.walked);
    }
    if (second < 0) continue;
    const waiting = Math.min(count.started - count.done, stepsByPartitions);
    if (waiting > 0) {
      const steps = Math.floor(
        entered.takeUpTo(waiting * transitionsAfterWait, clock) / transitionsAfterWait,
      );
      count.done += steps;
      peak = Math.max(peak, steps);
      if (count.done === subscriptions) invoicesAt = second;
      mailQueue.add(second, steps);
    }
    count.sent += mailQueue.send(second);
  }
  return {
    startedBefore,
    invoicesHours: invoicesAt / 3_600,
    mailsHours: second / 3_600,
    stepsPerSecond: peak,
    concurrency: Math.ceil(peak * each.billedSeconds),
    writeUnits: Math.ceil(peak * each.writeUnits),
    partitionUnits: Math.ceil((peak * each.dueUnits) / limits.shards),
  };
}

/** Sends the mails of invoices within the quotas of SES, oldest first. */
function mailer({ mailsPerSecond, mailsPerDay, drainedPerSecond }: Limits) {
  const cohorts: Cohort[] = [];
  const rate = new TokenBucket({ bucket: mailsPerSecond, perSecond: mailsPerSecond });
  let ofDay = mailsPerDay;
  let ofDrain = 0;
  /** The first cohort with unsent mails, and the first of those that the stream still hands on. */
  let oldest = 0;
  let fresh = 0;

  const sendOf = (cohort: Cohort, atMost: number, second: number) => {
    const sent = rate.takeUpTo(Math.min(cohort.unsent, atMost, ofDay), second);
    cohort.unsent -= sent;
    ofDay -= sent;
    return sent;
  };
  return {
    add: (atSecond: number, unsent: number) => void cohorts.push({ atSecond, unsent }),
    /** @returns how many are sent in this second. */
    send(second: number): number {
      if (second % daySeconds === 0) ofDay = mailsPerDay;
      if (second % drain.every === 0) ofDrain = drainedPerSecond * drain.lasts;
      while ((cohorts[fresh]?.atSecond ?? second) + deliverySeconds < second) fresh += 1;
      let sent = 0;
      for (; oldest < fresh; oldest += 1) {
        const drained = sendOf(cohorts[oldest] as Cohort, ofDrain, second);
        ofDrain -= drained;
        sent += drained;
        if ((cohorts[oldest]?.unsent ?? 0) > 0) break;
      }
      for (let i = Math.max(oldest, fresh); i < cohorts.length; i += 1) {
        const cohort = cohorts[i] as Cohort;
        sent += sendOf(cohort, cohort.unsent, second);
        if (cohort.unsent > 0) break;
        if (i === oldest) oldest += 1;
        fresh = Math.max(fresh, oldest);
      }
      return sent;
    },
  };
}

/** What the step of a renewal and the delivery of its mail need together. */
function needsOf(figures: Figures) {
  const both = [
    requestOf(figures, 'subscriptions.run-step', 'renewal_invoice'),
    requestOf(figures, 'subscriptions.deliver-outbox', '1 mail'),
  ];
  const sum = (of: (one: (typeof both)[number]) => number) => both.reduce((total, one) => total + of(one), 0);
  return {
    dueUnits: sum(({ dueUnits }) => dueUnits),
    writeUnits: sum(({ writeUnits }) => writeUnits),
    billedSeconds: sum(billedSeconds),
  };
}

/** The rows that docs/scale.md quotes. */
export function firstOfMonth(figures: Figures, subscriptions = 1_000_000) {
  return scenarios.map((limits) => ({ what: limits.what, ...renewAtOnce(subscriptions, figures, limits) }));
}

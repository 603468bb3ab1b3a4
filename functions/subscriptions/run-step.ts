import { setTimeout as sleep } from 'node:timers/promises';
import { getApplication } from '../shared/accounts/applications.ts';
import { task } from '../shared/lambda/scheduled.ts';
import { sendMailWithAttachments } from '../shared/mail/mailer.ts';
import { clock, isoTime, nowMs } from '../shared/runtime/clock.ts';
import { newId } from '../shared/runtime/ids.ts';
import { checkoutUrl } from './checkout/link.ts';
import { runDueSteps } from './engine/run-due-steps.ts';
import { subscriptionStore } from './engine/subscription-store.ts';
import type { Invoice } from './invoices/invoice.ts';
import type { Change } from './lifecycle/decide.ts';
import type { Subscription } from './lifecycle/subscription.ts';
import { deliver } from './outbox/deliver.ts';
import { outboxStore } from './outbox/store.ts';
import { planStore } from './plans/store.ts';
import { horizonMs, scheduleFollowUp } from './scheduling/schedule.ts';
import type { TimerInput } from './scheduling/timer-input.ts';
import { closeCheckout } from './stripe/expire-session.ts';
import { timers } from './timers.ts';

const stepDeps = () => ({
  subscriptions: subscriptionStore,
  plans: planStore,
  outbox: outboxStore,
  getApplication,
  scheduleFollowUp,
  sendMail: sendMailWithAttachments,
  checkoutUrl,
  closeCheckout,
  clock,
  nowMs,
  newId,
  sleep,
});
type StepDeps = ReturnType<typeof stepDeps>;

/** Something of the outbox could not be done: Step Functions retries by this name. */
export class OutboxNotEmpty extends Error {
  constructor(cause: unknown) {
    super('Something of the outbox could not be done', { cause });
    this.name = 'OutboxNotEmpty';
  }
}

/**
 * The task of the state machine: takes the steps that are due, does what follows from them, and says what is waited for next.
 *
 * It may run early, late, twice, at once, or for a timer that another has replaced: what it does is bound to the subscription as
 * it is. Steps come before mails, and a mail that fails holds no step up.
 *
 * @param input `retry` counts the runs before for the same state.
 * @throws OutboxNotEmpty once the steps are taken.
 */
export async function runStep(
  { retry = 0, ...input }: TimerInput & { retry?: number },
  deps: StepDeps,
): Promise<TimerInput> {
  const { applicationId, externalId, subscriptionId, version, stage } = input;
  await restOfWait(input, deps);
  const found = await deps.subscriptions.getWithClient(applicationId, externalId, [subscriptionId]);
  const [seen] = found.subscriptions;
  if (seen === undefined || found.client === undefined) return { ...input, stage: 'end' };
  const { subscription, changes } = await runDueSteps({ client: found.client, subscription: seen }, deps, {
    version,
    horizonMs: horizonMs(),
  });
  // Taken before, the step's mails may have been left by a run that died.
  const wasTaken =
    changes.length === 0 && (seen.timer === undefined || isoTime(seen.timer.dueAtMs) !== input.dueAt);
  const all = stage === 'outbox' || retry > 0 || wasTaken;
  // At first nobody has died yet: another execution of the same subscription sends its mail just now.
  const minds = retry > 0 || wasTaken;
  const failures = await drainOutbox(subscription, changes, deps, { all, minds });
  if (failures.length > 0) throw new OutboxNotEmpty(failures[0]);
  return next(input, subscription);
}

/** A wait of Step Functions counts whole seconds: it ends up to one before the time it was given. */
const waitsEarlyMs = 1_000;

async function restOfWait({ dueAt }: TimerInput, { nowMs, sleep }: StepDeps): Promise<void> {
  const earlyMs = dueAt === undefined ? 0 : Date.parse(dueAt) - nowMs();
  if (earlyMs > 0 && earlyMs <= waitsEarlyMs) await sleep(earlyMs);
}

/** What an execution does for the subscription as it is now: waits for its step, if it is still in charge. */
function next({ dueAt: _, ...input }: TimerInput, { timer, timerVersion }: Subscription): TimerInput {
  if (timer === undefined || timerVersion !== input.version) return { ...input, stage: 'end' };
  return { ...input, stage: timer.step, dueAt: isoTime(timer.dueAtMs) };
}

/**
 * @param all what was left before too, which takes a look into the table.
 * @param minds what somebody else has leased: he may have died.
 */
async function drainOutbox(
  { subscriptionId, baseUrl }: Subscription,
  changes: readonly Change[],
  deps: StepDeps,
  { all, minds }: { all: boolean; minds: boolean },
): Promise<unknown[]> {
  const failures: unknown[] = [];
  const issued = new Map<number, Invoice>();
  for (const invoice of changes.flatMap((change) => change.issued)) issued.set(invoice.n, invoice);
  for (const entry of changes.flatMap(({ outbox }) => outbox)) {
    // Only what was issued just now is known to be as it was; another one may have been paid.
    const known = entry.invoiceN === undefined ? undefined : issued.get(entry.invoiceN);
    failures.push(await deliver(entry, baseUrl, deps, changes.length === 1 ? known : undefined));
  }
  const own = new Set(changes.flatMap(({ outbox }) => outbox.map(({ entryId }) => entryId)));
  for (const entry of all ? await deps.outbox.of(subscriptionId) : []) {
    if (own.has(entry.entryId)) continue;
    const claimed = await deps.outbox.claim(entry, deps.nowMs());
    if (claimed !== undefined) failures.push(await deliver(claimed, baseUrl, deps));
    else if (minds) failures.push(await stillDue(entry, deps));
  }
  return failures.filter((failure) => failure !== undefined);
}

/** Somebody else is at it: he may have died, so it is looked at again. */
async function stillDue(
  { subscriptionId, entryId }: { subscriptionId: string; entryId: string },
  { outbox }: StepDeps,
) {
  const left = await outbox.of(subscriptionId);
  return left.some((entry) => entry.entryId === entryId) ? new Error('It is leased') : undefined;
}

export const handler = task(timers['run-step'], runStep, stepDeps);

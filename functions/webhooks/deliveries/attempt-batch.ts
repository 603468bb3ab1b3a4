import { defined } from '../../shared/contract/defined.ts';
import { clock, isoTime, minuteMs, secondMs, signingClock } from '../../shared/runtime/clock.ts';
import { recordAlarm } from '../../shared/runtime/log.ts';
import { randomFraction } from '../../shared/runtime/random.ts';
import { valuesOf, whenSettled } from '../../shared/runtime/when-settled.ts';
import { takeLease } from '../../shared/table/lease.ts';
import { failureStore } from '../endpoints/failure-store.ts';
import { webhookStore } from '../endpoints/store.ts';
import { activeSecrets, type Webhook } from '../endpoints/webhook.ts';
import { haveExpired, type KeptEvents, presentEvent } from '../events/event.ts';
import { parseEventId } from '../events/event-id.ts';
import { eventStore } from '../events/store.ts';
import { retryAfterMs } from './answer.ts';
import type { Attempt, Delivery, FailureReason } from './delivery.ts';
import { type BatchInput, executionOf, startLaterAttempts } from './executions.ts';
import { hasFailedForLong, nextAttemptMs } from './schedule.ts';
import { send } from './sender.ts';
import { signedHeaders } from './signature.ts';
import { type AfterAttempt, deliveryStore } from './store.ts';

/**
 * The attempt of a batch of deliveries to one endpoint: sends those that are due, all at the same time, notes each, and returns
 * what remains. It may run twice, or end at any point.
 *
 * - A delivery is noted on the condition that no other attempt was noted, so two runs note one attempt. Both may have sent
 *   it: delivery is at least once, and the id tells the receiver.
 * - A success is noted as soon as it is known. What becomes of a failure depends on the endpoint, so it is noted after that.
 * - A delivery of which another execution is in charge is left alone.
 *
 * The first attempt hands what remains over to an execution of its own, which waits. Later attempts return it to theirs.
 */
export async function attemptBatch(input: BatchInput): Promise<BatchInput> {
  const { applicationId, webhookId, eventIds } = input;
  const groupIds = eventIds.flatMap((eventId) => parseEventId(eventId)?.groupId ?? []);
  const [webhook, secrets, groups, stored] = await Promise.all([
    webhookStore.get(applicationId, webhookId),
    webhookStore.secretsOf(webhookId),
    eventStore.get(groupIds),
    deliveryStore.getAll(webhookId, eventIds),
  ]);
  const nowMs = clock.nowMs();
  const executionName = input.executionName ?? executionOf(input);
  const isInCharge = (delivery: Delivery | undefined): delivery is Delivery =>
    delivery?.status === 'pending' &&
    (delivery.executionName === input.executionName || delivery.executionName === executionName);
  const own = stored.filter(isInCharge);
  // The first attempt is due at once, by whatever clock. A later one is due when the state machine has waited for it: a
  // clock of this function that is behind would return it again and again.
  const dueMs = Math.max(nowMs, input.dueAt === undefined ? 0 : Date.parse(input.dueAt));
  const isDue = ({ nextAttemptAtMs = 0, executionName: inCharge }: Delivery) =>
    inCharge === undefined || nextAttemptAtMs <= dueMs;
  const signing = activeSecrets(secrets, nowMs).map(({ secret }) => secret);
  const endpoint = webhook !== undefined && signing.length > 0 ? webhook : undefined;
  const settled =
    endpoint?.isActive === true
      ? await attemptInTurn({ endpoint, groups, signing, executionName, deliveries: own.filter(isDue) })
      : await whenSettled(
          own.map((delivery) =>
            deliveryStore.note(delivery, undefined, { status: 'failed', reason: endReason(endpoint) }),
          ),
        );
  const waiting = endpoint?.isActive === true ? own.filter((delivery) => !isDue(delivery)) : [];
  const remaining = [...waiting, ...settled]
    .filter(isInCharge)
    .filter((delivery) => delivery.executionName === executionName);
  const next = nextInput(input, remaining);
  if (input.executionName === undefined && remaining.length > 0)
    await startLaterAttempts(next, { executionName, dueAtMs: earliest(remaining) });
  return next;
}

/** Why the deliveries of an endpoint end that gets none. */
function endReason(webhook: Webhook | undefined): FailureReason {
  if (webhook === undefined) return 'webhook_removed';
  return webhook.disabled === undefined ? 'webhook_inactive' : 'webhook_disabled';
}

const earliest = (deliveries: readonly Delivery[]) =>
  Math.min(...deliveries.map(({ nextAttemptAtMs = 0 }) => nextAttemptAtMs));

function nextInput(input: BatchInput, remaining: readonly Delivery[]): BatchInput {
  const eventIds = remaining.map(({ eventId }) => eventId);
  return remaining.length === 0
    ? { ...input, eventIds }
    : { ...input, eventIds, dueAt: isoTime(earliest(remaining)) };
}

interface Batch {
  endpoint: Webhook;
  groups: readonly KeptEvents[];
  signing: readonly string[];
  executionName: string;
  deliveries: readonly Delivery[];
}

/**
 * The batches to failing endpoints of an application that are attempted at the same time. Each can hold a function for 15
 * seconds. A lease ends after the longest time of the function.
 */
const failingBatches = { group: 'webhook-attempts', max: 20, maxMs: 90 * secondMs };
/** How long a batch waits for its turn, at least; up to twice as long. */
const turnMs = 10 * secondMs;
/** The most that half of its age adds to the wait: thousands of batches can wait, and each turn runs the function. */
const maxLongerMs = 10 * minuteMs;

/** Sends deliveries; to an endpoint that fails, only while few other batches of the application do so, and otherwise later. */
async function attemptInTurn(batch: Batch): Promise<(Delivery | undefined)[]> {
  const { endpoint, executionName, deliveries } = batch;
  if (endpoint.failingSinceMs === undefined || deliveries.length === 0) return attemptAll(batch);
  const nowMs = clock.nowMs();
  const lease = await takeLease(failingBatches, endpoint.applicationId, nowMs);
  if ('release' in lease) return attemptAll(batch).finally(lease.release);
  const ageMs = nowMs - Math.min(...deliveries.map(({ createdAtMs }) => createdAtMs));
  const waitMs = turnMs * (1 + randomFraction()) + Math.min(ageMs / 2, maxLongerMs);
  const nextAttemptAtMs = Math.ceil((nowMs + waitMs) / secondMs) * secondMs;
  return whenSettled(
    deliveries.map((delivery) =>
      deliveryStore.note(delivery, undefined, { status: 'pending', nextAttemptAtMs, executionName }),
    ),
  );
}

interface Failure {
  delivery: Delivery;
  attempt: Attempt;
  retryAfterMs: number | undefined;
}

/**
 * Sends deliveries concurrently.
 *
 * @returns them as stored afterwards.
 * @throws the first error, after every answer was awaited and noted: an attempt that is not noted is made again.
 */
async function attemptAll(batch: Batch): Promise<(Delivery | undefined)[]> {
  const failures: Failure[] = [];
  let hasSucceeded = false;
  const sent = await Promise.allSettled(
    batch.deliveries.map(async (delivery): Promise<Delivery | undefined> => {
      const body = bodyOf(delivery, batch.groups, clock.nowMs());
      if (body === undefined)
        return deliveryStore.note(delivery, undefined, { status: 'failed', reason: 'event_expired' });
      const outcome = await attempt(delivery, body, batch);
      if ('retryAfterMs' in outcome) {
        failures.push(outcome);
        return undefined;
      }
      hasSucceeded = true;
      return deliveryStore.note(delivery, outcome.attempt, { status: 'succeeded' });
    }),
  );
  const isDisabled = await followUp(batch.endpoint, { failures, hasSucceeded });
  const fraction = randomFraction();
  const noted = await Promise.allSettled(
    failures.map((failure) => {
      const next = isDisabled
        ? ({ status: 'failed', reason: 'webhook_disabled' } as const)
        : afterFailure(failure, batch.executionName, fraction);
      return deliveryStore.note(failure.delivery, failure.attempt, next);
    }),
  );
  return valuesOf([...sent, ...noted]);
}

/** The bytes that are sent: the same at every attempt. Undefined when the event is no longer kept. */
function bodyOf({ eventId }: Delivery, groups: readonly KeptEvents[], nowMs: number): string | undefined {
  const { groupId, position } = parseEventId(eventId) ?? {};
  const group = groups.find((one) => one.groupId === groupId);
  if (group === undefined || position === undefined || haveExpired(group, nowMs)) return undefined;
  return JSON.stringify(presentEvent(group, position));
}

async function attempt(
  delivery: Delivery,
  body: string,
  { endpoint, signing }: Batch,
): Promise<Failure | { attempt: Attempt }> {
  const sentAtMs = clock.nowMs();
  const signed = { eventId: delivery.eventId, body, sentAtMs: signingClock.nowMs() };
  const headers = signedHeaders(signed, signing);
  const { retryAfter, ...answer } = await send({ url: endpoint.url, headers, body });
  const made: Attempt = { atMs: sentAtMs, ...answer };
  const { status = 0 } = answer;
  if (status >= 200 && status < 300) return { attempt: made };
  return { delivery, attempt: made, retryAfterMs: retryAfterMs(retryAfter, clock.nowMs()) };
}

/** The next state of a delivery whose attempt has failed, at an endpoint that stays active. */
function afterFailure(
  { delivery, attempt, retryAfterMs }: Failure,
  executionName: string,
  fraction: number,
): AfterAttempt {
  const failedAtMs = attempt.atMs + attempt.durationMs;
  const delays = defined({ failedAtMs, fraction, retryAfterMs });
  const nextAttemptAtMs = nextAttemptMs(attemptsOf(delivery), delays);
  if (nextAttemptAtMs === undefined) return { status: 'failed', reason: 'exhausted' };
  return { status: 'pending', nextAttemptAtMs, executionName };
}

/** The number of the attempt in hand, in its schedule. */
const attemptsOf = ({ made, madeBefore }: Delivery) => made - madeBefore + 1;

const gone = 410;

/** Notes at the endpoint what came of the attempts. @returns whether this attempt has disabled it. */
async function followUp(
  endpoint: Webhook,
  { failures, hasSucceeded }: { failures: readonly Failure[]; hasSucceeded: boolean },
): Promise<boolean> {
  const disable = async (read: Webhook, reason: 'gone' | 'failing') => {
    const isDisabled = await failureStore.disable(read, reason, clock.nowMs());
    if (isDisabled)
      recordAlarm('webhooks', 'WebhooksDisabled', 'a webhook was disabled', {
        webhookId: read.webhookId,
        reason,
      });
    return isDisabled;
  };
  if (failures.some(({ attempt }) => attempt.status === gone)) return disable(endpoint, 'gone');
  if (hasSucceeded) {
    await failureStore.noteSuccess(endpoint);
    return false;
  }
  if (failures.length === 0) return false;
  const nowMs = clock.nowMs();
  const noted = await failureStore.noteFailure(endpoint, nowMs);
  const latest = Math.max(...failures.map(({ delivery }) => attemptsOf(delivery)));
  const isOver = hasFailedForLong(noted.failingSinceMs ?? nowMs, latest, nowMs);
  return isOver ? disable(noted, 'failing') : false;
}

import type { Key } from '../shared/contract/keys.ts';
import { consumer, type FailedItem } from '../shared/lambda/stream.ts';
import { drainMail } from '../shared/mail/drain.ts';
import { MailPossiblySent } from '../shared/mail/mailer.ts';
import { secondMs } from '../shared/runtime/clock.ts';
import * as env from '../shared/runtime/env.ts';
import { recordRun } from '../shared/runtime/log.ts';
import type { OutboxEntry } from '../subscriptions/record/outbox-entry.ts';
import { attemptDelivery, type DeliveryDeps, deliveryDeps } from './outbox/attempt.ts';
import { timers } from './timers.ts';

/**
 * A run takes no further mail after this time, so that a mail that waits for SES ends before the function does. What it
 * leaves is due in the table, where `drain-outbox` finds it.
 */
const deliveryTimeMs = 30 * secondMs;

const leftToTimer = 'Deliveries that failed are left to drain-outbox.';

interface NewEntry {
  key: Key;
  entry: OutboxEntry;
}

/**
 * Delivers the entries of the outbox that the stream hands over: those of one subscription in the order in which they were
 * caused, those of several subscriptions concurrently, at the rate of SES.
 *
 * An entry that SES or Stripe refuses is no failed item: it stays due in the table, where `drain-outbox` tries it again, so
 * that a fault of SES stops no shard. Neither is one that another process has leased.
 *
 * @returns the entries that could not be read or leased, because the table failed.
 */
export async function deliverOutbox(
  keys: readonly Key[],
  deps: DeliveryDeps = deliveryDeps(),
): Promise<FailedItem[]> {
  const { clock } = deps;
  const endMs = clock.nowMs() + deliveryTimeMs;
  const failures: FailedItem[] = [];
  const entries: NewEntry[] = [];
  const read = async (key: Key) => {
    const entry = await deps.outbox.get(key);
    if (entry !== undefined) entries.push({ key, entry });
  };
  await Promise.all(keys.map((key) => read(key).catch((cause) => failures.push({ key, cause }))));
  const attempt = ({ key, entry }: NewEntry) =>
    attemptDelivery(entry, deps).catch((cause: unknown) => {
      failures.push({ key, cause });
      return undefined;
    });
  for (const round of rounds(entries)) {
    const shards = [[round].values()];
    const options = { shards, attempt, mailsPerSecond: env.mailsPerSecond(), endMs, clock };
    const { counts, cause } = await drainMail(options);
    if (cause !== undefined) recordRun({ timer: leftToTimer, durationMs: 0, ...counts }, cause);
    // While SES does not answer, the next mails of these subscriptions would be counted as possible copies too.
    if (cause instanceof MailPossiblySent) break;
  }
  return failures;
}

/** The first entries of all subscriptions, then their second ones, and so on: a reminder must not overtake its invoice. */
function rounds(entries: readonly NewEntry[]): NewEntry[][] {
  const sorted = entries.toSorted(
    ({ entry: a }, { entry: b }) => a.revision - b.revision || a.position - b.position,
  );
  const courses = [...Map.groupBy(sorted, ({ key }) => key.pk).values()];
  const length = Math.max(0, ...courses.map((course) => course.length));
  return Array.from({ length }, (_, n) => courses.flatMap((course) => course.slice(n, n + 1)));
}

export const handler = consumer(timers.deliver, deliverOutbox);

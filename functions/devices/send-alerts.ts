import { alertShards } from '../shared/contract/keys.ts';
import { scheduled } from '../shared/lambda/scheduled.ts';
import { drainMail } from '../shared/mail/drain.ts';
import { clock } from '../shared/runtime/clock.ts';
import * as env from '../shared/runtime/env.ts';
import { recordAlarm } from '../shared/runtime/log.ts';
import { type Alert, isAlertGivenUp } from './alerts/alert.ts';
import { deliverAlert } from './alerts/deliver.ts';
import { type AlertPage, alertStore } from './alerts/store.ts';
import { timers } from './timers.ts';

const pageSize = 100;

/**
 * Sends the New Device Login mails that are still due: those whose request ended before sending them, and
 * those that SES refused. Concurrent runs lease alerts, so that no alert is sent by both.
 */
export async function sendDueAlerts() {
  const startedAtMs = clock.nowMs();
  const counts = { abandoned: 0 };
  const attempt = async (alert: Alert) => {
    if (!isAlertGivenUp(alert, clock.nowMs())) return claimAndDeliver(alert);
    await alertStore.remove(alert);
    recordAlarm('mail', 'MailsGivenUp', 'a mail was given up', {
      mail: 'alert',
      possibleCopies: alert.possibleCopies,
    });
    counts.abandoned += 1;
    return undefined;
  };
  const shards = Array.from({ length: alertShards }, (_, shard) => duePages(shard, startedAtMs));
  const run = await drainMail({ shards, attempt, mailsPerSecond: env.mailsPerSecond(), clock });
  return { counts: { ...counts, sent: run.counts.done, failed: run.counts.failed }, cause: run.cause };
}

async function* duePages(shard: number, nowMs: number): AsyncGenerator<Alert[]> {
  let startAfter: AlertPage['next'];
  do {
    const page = await alertStore.list(shard, pageSize, startAfter);
    yield page.alerts.filter(({ leasedUntilMs }) => leasedUntilMs <= nowMs);
    startAfter = page.next;
  } while (startAfter !== undefined);
}

/** @returns undefined when another run has leased or sent the alert. */
async function claimAndDeliver(alert: Alert): Promise<{ cause: unknown } | undefined> {
  const claimed = await alertStore.claim(alert, clock.nowMs());
  return claimed && { cause: await deliverAlert(claimed) };
}

export const handler = scheduled(timers['send-alerts'], sendDueAlerts);

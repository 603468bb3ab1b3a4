import { alertShards } from '../shared/contract/keys.ts';
import { scheduled } from '../shared/lambda/scheduled.ts';
import { sendMail } from '../shared/mail/mailer.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { isGivenUp } from './alert.ts';
import { deliver } from './deliver.ts';
import { alertStore } from './store.ts';
import { timers } from './timers.ts';

/** So many mails a run and shard; the rest waits for the next. Within SES's smallest rate and the function's time. */
const batchSizePerShard = 50;

const alertsDeps = () => ({ alerts: alertStore, sendMail, nowMs });

/**
 * Sends the New Device Login mails that are still due: those whose request died before it sent them, and those
 * that SES refused. Two runs at once share them by lease, so that none is sent by both.
 */
export async function sendDueAlerts({ alerts, sendMail, nowMs }: ReturnType<typeof alertsDeps>) {
  const counts = { sent: 0, failed: 0, givenUp: 0 };
  const causes: unknown[] = [];
  const shards = Array.from({ length: alertShards }, async (_, shard) => {
    const due = (await alerts.all(shard)).filter(({ leasedUntilMs }) => leasedUntilMs <= nowMs());
    for (const alert of due.slice(0, batchSizePerShard)) {
      if (isGivenUp(alert, nowMs())) {
        await alerts.remove(alert);
        counts.givenUp += 1;
        continue;
      }
      const claimed = await alerts.claim(alert, nowMs());
      if (claimed === undefined) continue;
      const cause = await deliver(claimed, { alerts, sendMail });
      if (cause !== undefined) causes.push(cause);
      counts[cause === undefined ? 'sent' : 'failed'] += 1;
    }
  });
  await Promise.all(shards);
  return { counts, cause: causes[0] };
}

export const handler = scheduled(timers.alerts, sendDueAlerts, alertsDeps);

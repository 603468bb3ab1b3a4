import { alertShards } from '../shared/contract/keys.ts';
import { scheduled } from '../shared/lambda/scheduled.ts';
import { sendMail } from '../shared/mail/mailer.ts';
import { clock } from '../shared/runtime/clock.ts';
import { isAbandoned } from './alerts/alert.ts';
import { deliverAlert } from './alerts/deliver.ts';
import { alertStore } from './alerts/store.ts';
import { timers } from './timers.ts';

/**
 * Mails per run and shard; the next run sends the rest. Within SES's lowest sending rate and the function's
 * timeout.
 */
const batchSizePerShard = 50;

const sendAlertsDeps = () => ({ alerts: alertStore, sendMail, clock });

/**
 * Sends the New Device Login mails that are still due: those whose request ended before sending them, and
 * those that SES refused. Concurrent runs lease alerts, so that no alert is sent by both.
 */
export async function sendDueAlerts({ alerts, sendMail, clock }: ReturnType<typeof sendAlertsDeps>) {
  const counts = { sent: 0, failed: 0, abandoned: 0 };
  const causes: unknown[] = [];
  const shards = Array.from({ length: alertShards }, async (_, shard) => {
    const due = (await alerts.list(shard)).filter(({ leasedUntilMs }) => leasedUntilMs <= clock.nowMs());
    for (const alert of due.slice(0, batchSizePerShard)) {
      if (isAbandoned(alert, clock.nowMs())) {
        await alerts.remove(alert);
        counts.abandoned += 1;
        continue;
      }
      const claimed = await alerts.claim(alert, clock.nowMs());
      if (claimed === undefined) continue;
      const cause = await deliverAlert(claimed, { alerts, sendMail });
      if (cause !== undefined) causes.push(cause);
      counts[cause === undefined ? 'sent' : 'failed'] += 1;
    }
  });
  await Promise.all(shards);
  return { counts, cause: causes[0] };
}

export const handler = scheduled(timers['send-alerts'], sendDueAlerts, sendAlertsDeps);

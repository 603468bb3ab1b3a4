import { MailPossiblySent, sendMail } from '../../shared/mail/mailer.ts';
import { clock, secondMs } from '../../shared/runtime/clock.ts';
import * as env from '../../shared/runtime/env.ts';
import type { Alert } from './alert.ts';
import { newDeviceEmail } from './email.ts';
import { alertStore } from './store.ts';

/** A caller waiting for a response does not wait for a slow SES: the timer sends the mail later. */
const sendTimeoutMs = 3 * secondMs;

/**
 * Sends an alert that the caller has leased, then deletes it. On failure the device stays trusted and the
 * alert stays due: the timer sends it after the lease.
 *
 * @returns the error, if any.
 */
export async function deliverAlert(alert: Alert): Promise<unknown> {
  try {
    const email = newDeviceEmail({ ...alert, devicesUrl: env.devicesPage() ?? alert.accountPage });
    await sendMail(alert.to, email, sendTimeoutMs);
  } catch (error) {
    // Without the release, the try remains counted and the lease ends later.
    if (!(error instanceof MailPossiblySent))
      await alertStore.release(alert, clock.nowMs()).catch(() => undefined);
    return error;
  }
  // An alert that was sent and could not be removed keeps its lease, and counts as a possible copy.
  return alertStore.remove(alert).catch((error: unknown) => error);
}

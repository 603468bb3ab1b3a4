import type { sendMail as Send } from '../shared/mail/mailer.ts';
import { env } from '../shared/runtime/env.ts';
import type { Alert } from './alert.ts';
import { newDeviceMail } from './emails.ts';
import type { alertStore } from './store.ts';

/** A caller who waits for his answer does not wait for a slow SES: the timer will send the mail. */
const sendTimeoutMs = 3_000;

/**
 * Sends an alert that is leased to the caller, then removes it. Whatever fails, the trust holds and the alert
 * stays due: the timer sends it when the lease is over.
 *
 * @returns what went wrong, if anything did.
 */
export async function deliver(
  alert: Alert,
  { alerts, sendMail }: { alerts: typeof alertStore; sendMail: typeof Send },
): Promise<unknown> {
  try {
    const devicesUrl = env.devicesPage();
    await sendMail(
      alert.to,
      newDeviceMail({ ...alert, ...(devicesUrl === undefined ? {} : { devicesUrl }) }),
      sendTimeoutMs,
    );
    await alerts.remove(alert);
    return undefined;
  } catch (error) {
    return error;
  }
}

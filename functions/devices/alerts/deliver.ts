import { defined } from '../../shared/contract/defined.ts';
import type { sendMail as Send } from '../../shared/mail/mailer.ts';
import { secondMs } from '../../shared/runtime/duration.ts';
import { env } from '../../shared/runtime/env.ts';
import type { Alert } from './alert.ts';
import { newDeviceEmail } from './email.ts';
import type { alertStore } from './store.ts';

/** A caller waiting for a response does not wait for a slow SES: the timer sends the mail later. */
const sendTimeoutMs = 3 * secondMs;

/**
 * Sends an alert that the caller has leased, then deletes it. On failure the device stays trusted and the
 * alert stays due: the timer sends it after the lease.
 *
 * @returns the error, if any.
 */
export async function deliverAlert(
  alert: Alert,
  { alerts, sendMail }: { alerts: typeof alertStore; sendMail: typeof Send },
): Promise<unknown> {
  try {
    const email = newDeviceEmail({ ...alert, ...defined({ devicesUrl: env.devicesPage() }) });
    await sendMail(alert.to, email, sendTimeoutMs);
    await alerts.remove(alert);
    return undefined;
  } catch (error) {
    return error;
  }
}

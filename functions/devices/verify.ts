import { tryCode } from '../shared/auth/one-time-codes.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { sendMail } from '../shared/mail/mailer.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { recordProblem } from '../shared/runtime/log.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { dueAlert } from './alert.ts';
import { deliver } from './deliver.ts';
import { routes } from './routes.ts';
import { alertStore, deviceStore } from './store.ts';

const verifyDeps = () => ({
  devices: deviceStore,
  alerts: alertStore,
  tryCode,
  sendMail,
  nowMs,
  randomToken,
});

/**
 * Trusts a quarantined device by the code that was mailed.
 *
 * The try is counted before anything is compared. All the rest is one transaction, whose conditions say again that
 * the code is unused, the device quarantined and the address the user's: of any number of requests one passes.
 */
export async function verifyCode(
  { body: { userId, userEmail, deviceId, code } }: Input<typeof routes.verify>,
  { devices, alerts, tryCode, sendMail, nowMs, randomToken }: ReturnType<typeof verifyDeps>,
): Promise<Output<typeof routes.verify>> {
  const atMs = nowMs();
  const slot = { purpose: 'device', email: userEmail } as const;
  const [codeId, device, trusted] = await Promise.all([
    tryCode(slot, code, atMs),
    devices.findQuarantined(userId, deviceId, atMs),
    devices.trusted(userId),
  ]);
  if (codeId === undefined || device === undefined) throw new ApiError('code_wrong');

  const alert = dueAlert(device, userEmail, randomToken(), atMs);
  if (!(await devices.trust(device, trusted, { slot, codeId, alert }, atMs)))
    throw new ApiError('code_wrong');
  const cause = await deliver(alert, { alerts, sendMail });
  if (cause !== undefined) recordProblem('an alert is left to the timer', cause);
  return { success: true };
}

export const handler = endpoint(routes.verify, verifyCode, verifyDeps);

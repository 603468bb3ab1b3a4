import { peekTries } from '../shared/auth/code-tries.ts';
import { requesterOf } from '../shared/auth/mailbox.ts';
import { verifyCode } from '../shared/auth/one-time-codes.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { sendMail } from '../shared/mail/mailer.ts';
import { clock } from '../shared/runtime/clock.ts';
import { recordProblem } from '../shared/runtime/log.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { createAlert } from './alerts/alert.ts';
import { deliverAlert } from './alerts/deliver.ts';
import { alertStore } from './alerts/store.ts';
import { routes } from './routes.ts';
import { deviceStore } from './store.ts';

const trustDeps = () => ({
  devices: deviceStore,
  alerts: alertStore,
  peekTries,
  verifyCode,
  sendMail,
  clock,
  randomToken,
});

/**
 * Trusts a quarantined device, verified by the mailed code.
 *
 * The attempt is counted before the comparison. The writes are one transaction. Its conditions check again that
 * the code is unused, the device is quarantined and the address is the user's. Of any number of concurrent
 * requests one succeeds.
 */
export async function trustDevice(
  { body: { userId, userEmail, deviceId, code }, remote, rateLimitPassed }: Input<typeof routes.trust>,
  { devices, alerts, peekTries, verifyCode, sendMail, clock, randomToken }: ReturnType<typeof trustDeps>,
): Promise<Output<typeof routes.trust>> {
  const nowMs = clock.nowMs();
  const slot = { purpose: 'device', email: userEmail } as const;
  const requester = requesterOf(remote.address);
  // Concurrent with the limit. A block without tries left touches no code.
  const [verdict] = await Promise.all([peekTries(requester.block, nowMs), rateLimitPassed]);
  if (!verdict.allowed) throw new ApiError('code_verify_limited', verdict);
  const [check, device, trusted] = await Promise.all([
    verifyCode(slot, code, { requester, tryId: randomToken() }, nowMs),
    devices.findQuarantined(userId, deviceId, nowMs),
    devices.trusted(userId),
  ]);
  if (check.result === 'limited') throw new ApiError('code_verify_limited', check.refusal);
  if (check.result === 'wrong' || device === undefined) throw new ApiError('code_wrong');

  const alert = createAlert(device, userEmail, randomToken(), nowMs);
  if (!(await devices.trust(device, trusted, { code: check.code, alert }, nowMs))) {
    throw new ApiError('code_wrong');
  }
  const cause = await deliverAlert(alert, { alerts, sendMail, clock });
  if (cause !== undefined) recordProblem('an alert was not sent; the timer sends it later', cause);
  return { success: true };
}

export const handler = endpoint(routes.trust, trustDevice, trustDeps);

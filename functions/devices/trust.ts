import { hasCurrentStamp } from '../shared/accounts/security-stamp.ts';
import { getUser } from '../shared/accounts/users.ts';
import { keySource, requesterOf, tokenSource } from '../shared/auth/codes/mailbox-store.ts';
import { readAttempt, verifyCode } from '../shared/auth/codes/one-time-codes.ts';
import { presentedDeviceProof } from '../shared/auth/device-proof.ts';
import { isFirstUse } from '../shared/auth/dpop-store.ts';
import { defined } from '../shared/contract/defined.ts';
import type { DeviceCredential } from '../shared/contract/device-proof.ts';
import { formatSecret, secretHash } from '../shared/contract/secret.ts';
import { ApiError, endpoint, type Handler, type Input } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { recordProblem } from '../shared/runtime/log.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { createAlert } from './alerts/alert.ts';
import { deliverAlert } from './alerts/deliver.ts';
import { trustRoute } from './contracts/codes.ts';
import { shownBy } from './shown.ts';
import { deviceStore } from './store.ts';

/**
 * Trusts a quarantined device, verified by the mailed code. A device that is trusted already gets a new proof, because it may
 * have lost the former one before it presented it.
 *
 * The attempt is counted before the comparison. The writes are one transaction. Its conditions check again that
 * the code is unused, the device is as it was read and the address is the user's. Of any number of concurrent
 * requests one succeeds.
 *
 * The device gets a proof of possession: the key that it registers, or a token. A response that is lost takes the token
 * with it. Where the device has to present it, device-check asks to verify the device again.
 */
export const trustDevice: Handler<typeof trustRoute> = async ({
  body,
  headers,
  caller: presented,
  remote,
  baseUrl,
  rateLimitPassed,
}) => {
  const { userId, userEmail, deviceId, code, devicePublicKey, deviceTokenRequired } = body;
  const nowMs = clock.nowMs();
  const { credential, deviceToken } =
    devicePublicKey === undefined
      ? newToken(formatSecret('device_token', randomToken()), deviceTokenRequired)
      : { credential: await keyCredential(devicePublicKey) };
  const slot = { purpose: 'device', email: userEmail } as const;
  const requester = requesterOf(remote.address, shownBy(presented, headers));
  // Concurrent with the limit. A block without tries left touches no code.
  const [attempt, isUnused] = await Promise.all([
    readAttempt(userEmail, requester, nowMs),
    isFirstUse(presented, nowMs),
    rateLimitPassed,
  ]);
  if ('allowed' in attempt) throw new ApiError('code_verify_limited', attempt);
  if (!isUnused) throw new ApiError('code_wrong');
  const [check, quarantined, user, trusted] = await Promise.all([
    verifyCode(
      slot,
      code,
      Object.assign({ tryId: randomToken(), sources: [sourceOf(credential)] }, attempt),
      nowMs,
    ),
    deviceStore.findQuarantined(userId, deviceId, nowMs),
    getUser(userId),
    deviceStore.trusted(userId),
  ]);
  if (check.result === 'limited') throw new ApiError('code_verify_limited', check.refusal);
  const again = trusted.find((device) => device.deviceId === deviceId && hasCurrentStamp(user, device));
  const device = quarantined ?? again;
  if (check.result === 'wrong' || device === undefined) throw new ApiError('code_wrong');

  const alert = createAlert(
    device,
    { to: userEmail, accountPage: `${baseUrl}/account` },
    randomToken(),
    nowMs,
  );
  if (!(await deviceStore.trust(device, { user, trusted }, { code: check.code, alert, credential }, nowMs))) {
    throw new ApiError('code_wrong');
  }
  const cause = await deliverAlert(alert);
  if (cause !== undefined) recordProblem('an alert was not sent; the timer sends it later', cause);
  return { success: true, ...defined({ deviceToken }) };
};

function sourceOf({ tokenHash, keyThumbprint }: DeviceCredential): string | undefined {
  return (tokenHash && tokenSource(tokenHash)) ?? (keyThumbprint && keySource(keyThumbprint));
}

/** The credential of a device that gets a token, and the token. */
function newToken(
  deviceToken: string,
  isRequired: boolean,
): { credential: DeviceCredential; deviceToken?: string } {
  const deviceProofPresented = isRequired || undefined;
  return {
    credential: { tokenHash: secretHash(deviceToken), ...defined({ deviceProofPresented }) },
    deviceToken,
  };
}

/** The credential of a device with a key. The device has to sign from its first call on. */
async function keyCredential(
  key: NonNullable<Input<typeof trustRoute>['body']['devicePublicKey']>,
): Promise<DeviceCredential> {
  const { thumbprintOf } = await import('../shared/auth/dpop.ts');
  const keyThumbprint = await thumbprintOf(key);
  if (keyThumbprint === undefined) {
    throw new ApiError('code_data_invalid', { details: { devicePublicKey: 'must be a point of P-256' } });
  }
  return { keyThumbprint, deviceProofPresented: true };
}

export const handler = endpoint(trustRoute, trustDevice, presentedDeviceProof);

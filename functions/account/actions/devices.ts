import type { Reply } from '../../shared/contract/route.ts';
import { accountDevices, inEffect } from '../access/devices-store.ts';
import { incompleteForm } from '../pages/error-pages.ts';
import { doneReply, type SignedInSubmission } from './submission.ts';

/** Removes one device. A device that does not exist, or is another user's, gets the same response. */
export async function removeDevice({ body, user, sessionToken }: SignedInSubmission): Promise<Reply> {
  if (!isDeviceId(body.device)) return incompleteForm();
  await accountDevices.remove(user.userId, [body.device]);
  return doneReply(sessionToken, 'device');
}

/** Removes all devices but one. When that one is not trusted any more, nothing is removed. */
export async function removeOthers({ body, user, sessionToken }: SignedInSubmission): Promise<Reply> {
  if (!isDeviceId(body.device)) return incompleteForm();
  const all = await accountDevices.list(user.userId);
  if (!inEffect(all, user).some(({ deviceId }) => deviceId === body.device)) {
    return doneReply(sessionToken, 'gone');
  }
  const others = all.map(({ deviceId }) => deviceId).filter((deviceId) => deviceId !== body.device);
  await accountDevices.remove(user.userId, others);
  return doneReply(sessionToken, 'others');
}

export async function removeAll({ user, sessionToken }: SignedInSubmission): Promise<Reply> {
  const all = await accountDevices.list(user.userId);
  await accountDevices.remove(
    user.userId,
    all.map(({ deviceId }) => deviceId),
  );
  return doneReply(sessionToken, 'devices');
}

const isDeviceId = (text: string | undefined): text is string => text !== undefined && text !== '';

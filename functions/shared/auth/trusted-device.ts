import { hasCurrentStamp } from '../accounts/security-stamp.ts';
import type { User } from '../accounts/users.ts';
import type { PresentedDeviceProof, TrustedDevice } from '../contract/device-proof.ts';
import * as keys from '../contract/keys.ts';
import { dayMs } from '../runtime/clock.ts';
import { queryItems } from '../table/query.ts';
import { getRecord, recordReader } from '../table/record.ts';
import { exists, type Item, updateItem, type Write } from '../table/table.ts';

/** Longer than any device id. A sort key is limited to 1,024 bytes. */
const maxDeviceId = 256;
/** A caller who has proved the master password within this time is known. */
const knownMs = 30 * dayMs;
/** A record is renewed at most once in this time, so that it costs next to nothing. */
const renewalMs = dayMs;
/** Addresses kept for a device. The one that was used longest ago leaves. */
const maxAddresses = 10;

const readTrustedDevice = recordReader<TrustedDevice>(['id']);

/** The record of a trusted device, strongly consistent. Its trust may have ended with the user's stamp. */
export async function findTrustedDevice(
  userId: string,
  deviceId: string,
): Promise<TrustedDevice | undefined> {
  if (deviceId === '' || deviceId.length > maxDeviceId || !deviceId.isWellFormed()) return undefined;
  return getRecord(keys.trusted(userId, deviceId), readTrustedDevice);
}

export function queryTrustedDevices(userId: string): Promise<Item[]> {
  return queryItems(keys.devicePartition(userId), keys.devicePrefixes.trusted);
}

/**
 * The writes that remove a device if it exists: its trust and its quarantine. They belong in one transaction: two deletes in
 * sequence would miss a device that is trusted in between.
 */
export function deviceRemoval(userId: string, deviceId: string): Write[] {
  return [
    { Delete: { Key: keys.trusted(userId, deviceId) } },
    { Delete: { Key: keys.quarantined(userId, deviceId) } },
  ];
}

export function isTrustInEffect<D extends Pick<TrustedDevice, 'securityStamp'>>(
  device: D | undefined,
  user: User | undefined,
): device is D {
  return device !== undefined && hasCurrentStamp(user, device);
}

/** Whether the master password was proved from this device and address within the last 30 days. */
export function hasProvedFrom(
  { passwordProvedFrom = {} }: TrustedDevice,
  address: string,
  nowMs: number,
): boolean {
  const provedAtMs = new Map(Object.entries(passwordProvedFrom)).get(address) ?? Number.NEGATIVE_INFINITY;
  return nowMs - provedAtMs < knownMs;
}

/**
 * Records that a device has presented its proof, and from which address the master password was proved. Writes only what
 * is new: the one once, the other at most once a day for each address. The two are separate writes, so that a request
 * without a proof that read the device before cannot take the record of a proof back.
 *
 * @param caller.address undefined where no proof of the master password was compared.
 */
export async function recordAuthentication(
  userId: string,
  deviceId: string,
  device: TrustedDevice,
  caller: { address: string | undefined; presented: PresentedDeviceProof; nowMs: number },
): Promise<void> {
  const { address, presented, nowMs } = caller;
  const { deviceProofPresented = false, passwordProvedFrom = {} } = device;
  const key = keys.trusted(userId, deviceId);
  const isNewProof = presented.kind !== 'none' && !deviceProofPresented;
  const known = new Map(Object.entries(passwordProvedFrom));
  const isNewAddress = address !== undefined && nowMs - (known.get(address) ?? 0) >= renewalMs;
  await Promise.all([
    isNewProof ? recordProof(key, device) : undefined,
    isNewAddress ? recordAddress(key, device, known.set(address, nowMs), nowMs) : undefined,
  ]);
}

/** The same record: a device that was removed, or verified again, must not get back what it had. */
const sameDevice = `${exists} AND id = :id`;

async function recordProof(key: keys.Key, { id }: TrustedDevice): Promise<void> {
  await updateItem(
    key,
    {
      UpdateExpression: 'SET deviceProofPresented = :true',
      ConditionExpression: sameDevice,
      ExpressionAttributeValues: { ':true': true, ':id': id },
      guard: { harmless: 'a proof that was presented stays presented' },
    },
    'NONE',
  );
}

async function recordAddress(
  key: keys.Key,
  { id }: TrustedDevice,
  known: ReadonlyMap<string, number>,
  nowMs: number,
): Promise<void> {
  const newest = [...known]
    .filter(([, atMs]) => nowMs - atMs < knownMs)
    .sort(([, a], [, b]) => b - a)
    .slice(0, maxAddresses);
  await updateItem(
    key,
    {
      UpdateExpression: 'SET passwordProvedFrom = :from, passwordProvedAtMs = :now',
      ConditionExpression: `${sameDevice} AND (attribute_not_exists(passwordProvedAtMs) OR passwordProvedAtMs < :now)`,
      ExpressionAttributeValues: { ':from': Object.fromEntries(newest), ':now': nowMs, ':id': id },
      guard: { newest: 'passwordProvedAtMs' },
    },
    'NONE',
  );
}

import { hasCurrentStamp } from '../shared/accounts/security-stamp.ts';
import type { User } from '../shared/accounts/users.ts';
import { codeConsumption, type RightCode } from '../shared/auth/codes/one-time-code.ts';
import { isProofOf, mustProve } from '../shared/auth/device-proof.ts';
import { deviceRemoval, queryTrustedDevices } from '../shared/auth/trusted-device.ts';
import { defined } from '../shared/contract/defined.ts';
import type { DeviceCredential, PresentedDeviceProof } from '../shared/contract/device-proof.ts';
import * as keys from '../shared/contract/keys.ts';
import { tableSchema } from '../shared/contract/table-schema.ts';
import * as env from '../shared/runtime/env.ts';
import { queryItems } from '../shared/table/query.ts';
import { getRecord, recordReader } from '../shared/table/record.ts';
import {
  deleteItem,
  exists,
  transactWrite,
  type Update,
  updateItem,
  type Write,
} from '../shared/table/table.ts';
import { type Alert, alertKey } from './alerts/alert.ts';
import {
  type Device,
  deviceLimits,
  isQuarantined,
  type Sighting,
  selectExcess,
  selectReplaced,
} from './device.ts';

/** Pages of 1 MB: about 5,000 records, more than a user has without an attack. */
const maxQuarantinePages = 2;

const readDevice = recordReader<Device>(['id', 'deviceId']);

/**
 * Devices in the table. Trusted and quarantined devices have separate keys, so that no number of quarantined
 * devices can hide a trusted one.
 */
export const deviceStore = {
  /**
   * Records a sighting of a trusted device in one conditional write. A newer sighting is kept, and a caller who does not
   * present the proof that the device must present changes nothing.
   *
   * @returns the device; undefined when it is not trusted, or its proof is missing.
   */
  async refreshTrusted(
    userId: string,
    deviceId: string,
    presented: PresentedDeviceProof,
    sighting: Sighting,
  ): Promise<Device | undefined> {
    if (presented.kind === 'invalid' || (presented.kind === 'none' && env.deviceProof() === 'required')) {
      return undefined;
    }
    const proof = proofCondition(presented);
    const outcome = await updateItem(keys.trusted(userId, deviceId), {
      UpdateExpression: `SET ${sightingUpdate}${proof.change}`,
      ConditionExpression: `${exists} AND lastUsedAtMs <= :at AND ${proof.condition}`,
      ExpressionAttributeValues: { ...sightingValues(sighting), ...proof.values },
      guard: { newest: 'lastUsedAtMs' },
    });
    const stored = outcome.done ? outcome.item : outcome.refused;
    const device = stored && readDevice(stored);
    const isProven =
      device !== undefined && (presented.kind === 'none' ? !mustProve(device) : isProofOf(device, presented));
    return isProven ? device : undefined;
  },

  /**
   * Quarantines a device or renews its quarantine. An existing record keeps its id and creation time, and a
   * newer sighting. When the device is trusted concurrently, this record has no effect, because trust is a
   * separate record. So has a record that a late copy of this write restores: its device is not trusted.
   *
   * @returns whether the device is new.
   */
  async quarantine(
    device: Pick<Device, 'id' | 'userId' | 'deviceId' | 'deviceName' | 'os'>,
    sighting: Sighting,
  ): Promise<boolean> {
    const { id, userId, deviceId, deviceName, os } = device;
    const expiresAtMs = sighting.atMs + deviceLimits.quarantineMs;
    const outcome = await updateItem(keys.quarantined(userId, deviceId), {
      UpdateExpression: [
        `SET ${sightingUpdate}, userId=:userId, deviceId=:deviceId, deviceName=:deviceName, #os=:os, isVerified=:false`,
        'expiresAtMs=:expiresAtMs, #ttl=:ttl, id=if_not_exists(id,:id), createdAtMs=if_not_exists(createdAtMs,:at)',
      ].join(', '),
      ConditionExpression: 'attribute_not_exists(lastUsedAtMs) OR lastUsedAtMs <= :at',
      ExpressionAttributeValues: {
        ...sightingValues(sighting),
        ':id': id,
        ':userId': userId,
        ':deviceId': deviceId,
        ':deviceName': deviceName,
        ':os': os,
        ':expiresAtMs': expiresAtMs,
        ':ttl': keys.expirySeconds(expiresAtMs),
        ':false': false,
      },
      guard: { newest: 'lastUsedAtMs' },
    });
    return outcome.done && outcome.item.id === id;
  },

  /** Removes quarantined devices beyond the limit per user, a few at a time, unless they were seen since. */
  async removeExcess(userId: string, nowMs: number): Promise<void> {
    const [trusted, quarantined] = await Promise.all([this.trusted(userId), this.quarantined(userId, nowMs)]);
    const excess = selectExcess(quarantined, trusted.length, nowMs);
    const removals = excess.map(({ deviceId, lastUsedAtMs }) =>
      deleteItem(keys.quarantined(userId, deviceId), {
        ConditionExpression: 'lastUsedAtMs = :seen',
        ExpressionAttributeValues: { ':seen': lastUsedAtMs },
        guard: { once: 'lastUsedAtMs' },
      }),
    );
    await Promise.all(removals);
  },

  async trusted(userId: string): Promise<Device[]> {
    return (await queryTrustedDevices(userId)).map(readDevice);
  },

  /** Devices in quarantine. Expired records are left out, because DynamoDB deletes them late. */
  async quarantined(userId: string, nowMs: number): Promise<Device[]> {
    const items = await queryItems(
      keys.devicePartition(userId),
      keys.devicePrefixes.quarantined,
      maxQuarantinePages,
    );
    return items.map(readDevice).filter((device) => isQuarantined(device, nowMs));
  },

  /** A device in quarantine, which can be trusted. */
  async findQuarantined(userId: string, deviceId: string, nowMs: number): Promise<Device | undefined> {
    const device = await getRecord(keys.quarantined(userId, deviceId), readDevice);
    return device && isQuarantined(device, nowMs) ? device : undefined;
  },

  /**
   * Trusts a device that is quarantined, or trusted already, in one transaction: consumes the code, binds the address to the user
   * unless it is bound already, lets the address find the user, stores the alert, and removes devices: those of a former security
   * stamp, and the least recently used beyond the limit. A device that is verified again gets a new proof of possession.
   *
   * @param user the user as read. The transaction fails when their address or security stamp has changed since.
   * @param trusted the user's trusted devices.
   * @returns whether all conditions were met. Otherwise nothing is written.
   */
  async trust(
    device: Device,
    { user, trusted }: { user: User | undefined; trusted: readonly Device[] },
    { code, alert, credential }: Verification,
    nowMs: number,
  ): Promise<boolean> {
    const { userId, deviceId } = device;
    const { securityStamp } = user ?? {};
    const {
      expiresAtMs,
      tokenHash: _,
      keyThumbprint: __,
      [tableSchema.timeToLive]: ___,
      ...attributes
    } = device as Device & Record<string, unknown>;
    const condition =
      expiresAtMs === undefined
        ? { ConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': device.id } }
        : {};
    const bindAddress: Update = {
      UpdateExpression: 'SET email = :email, userId = :userId',
      ConditionExpression: `(${addressConditions[env.enrolment()]}) AND ${
        securityStamp === undefined ? 'attribute_not_exists(securityStamp)' : 'securityStamp = :stamp'
      }`,
      ExpressionAttributeValues: defined({
        ':email': code.slot.email,
        ':userId': userId,
        ':stamp': securityStamp,
      }),
    };
    const others = trusted.filter((other) => other.deviceId !== deviceId);
    const former = trusted.find((other) => other.deviceId === deviceId);
    const inEffect = others.filter((other) => hasCurrentStamp(user, other));
    const ended = others.filter((other) => !hasCurrentStamp(user, other));
    const removals: Write[] = [...selectReplaced(inEffect), ...ended.slice(0, maxEndedRemovals)].map(
      (replaced) => ({ Delete: { Key: keys.trusted(userId, replaced.deviceId) } }),
    );
    const kept = former && hasCurrentStamp(user, former) ? former : undefined;
    // Who knows the device's id must not get rid of its proof by verifying it again without one.
    const deviceProofPresented = credential.deviceProofPresented || kept?.deviceProofPresented;
    return transactWrite([
      ...codeConsumption(code, nowMs),
      ...(expiresAtMs === undefined ? [] : [quarantineEnd(userId, deviceId, nowMs)]),
      {
        Put: {
          ...condition,
          Item: {
            ...attributes,
            ...keys.trusted(userId, deviceId),
            isVerified: true,
            lastUsedAtMs: nowMs,
            ...credential,
            ...defined({ securityStamp, passwordProvedFrom: kept?.passwordProvedFrom, deviceProofPresented }),
          },
        },
      },
      { Update: { Key: keys.user(userId), ...bindAddress } },
      { Put: { Item: { ...keys.verifiedAddress(code.slot.email, userId) } } },
      { Put: { Item: { ...alertKey(alert), ...alert } } },
      ...removals,
    ]);
  },

  async revoke(userId: string, deviceId: string): Promise<void> {
    await transactWrite(deviceRemoval(userId, deviceId));
  },
};

/**
 * Whose address a verification proves, by the stage's `enrolment`. Only an operator who enters a user sets the time of
 * creation: the revision counts other writes of operators as well. Both conditions are part of the same write, so that
 * the duration does not tell whether there is such a user.
 */
const addressConditions = {
  open: 'attribute_not_exists(email) OR email = :email',
  known: 'attribute_exists(createdAtMs) AND email = :email',
} as const;

/** The writes that verify a device: the code, the alert to store with it, and the proof of possession that it gets. */
export interface Verification {
  code: RightCode;
  alert: Alert;
  credential: DeviceCredential;
}

const quarantineEnd = (userId: string, deviceId: string, nowMs: number): Write => ({
  Delete: {
    Key: keys.quarantined(userId, deviceId),
    ConditionExpression: 'expiresAtMs > :now',
    ExpressionAttributeValues: { ':now': nowMs },
  },
});

/** Devices of a former security stamp that one verification removes. A transaction has at most 100 writes. */
const maxEndedRemovals = 25;

/** The condition that a trusted device is the one that presents a proof, or need not present one; and what it records. */
function proofCondition(presented: PresentedDeviceProof) {
  if (presented.kind === 'token' || presented.kind === 'key') {
    const isToken = presented.kind === 'token';
    return {
      condition: isToken ? 'tokenHash = :proof' : 'keyThumbprint = :proof',
      change: ', deviceProofPresented=:presented',
      values: { ':proof': isToken ? presented.tokenHash : presented.keyThumbprint, ':presented': true },
    };
  }
  return {
    condition: '(attribute_not_exists(deviceProofPresented) OR deviceProofPresented = :notPresented)',
    change: '',
    values: { ':notPresented': false },
  };
}

const sightingUpdate = 'ipAddress=:ipAddress, #location=:location, isp=:isp, lastUsedAtMs=:at';

function sightingValues({ ipAddress, location, isp, atMs }: Sighting) {
  return { ':ipAddress': ipAddress, ':location': location, ':isp': isp, ':at': atMs };
}

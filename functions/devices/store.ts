import { type CodeSlot, consumption } from '../shared/codes.ts';
import { keys, tableSchema } from '../shared/keys.ts';
import {
  deleteItem,
  queryItems,
  transactWrite,
  type Update,
  updateItem,
  type Write,
} from '../shared/table.ts';
import { type Alert, alertKey, leaseMs } from './alert.ts';
import { crowdedOut, type Device, deviceLimits, isLive, outgrown, type Sighting } from './device.ts';

/** What is known of a device by its id alone. */
export type Standing = 'trusted' | 'quarantined' | 'unknown';

const isTrusted = 'isVerified = :true';
const isQuarantined = 'isVerified = :false';
const isNotTrusted = `attribute_not_exists(isVerified) OR ${isQuarantined}`;

/** Devices in the table. */
export const deviceStore = {
  /**
   * Records a sighting of a trusted device, in one conditional write that refuses any other.
   *
   * @returns what the device is.
   */
  async refreshTrusted(userId: string, deviceId: string, seen: Sighting): Promise<Standing> {
    const outcome = await updateItem(keys.device(userId, deviceId), {
      UpdateExpression: `SET ${sighting}`,
      ConditionExpression: isTrusted,
      ExpressionAttributeNames: sightingNames,
      ExpressionAttributeValues: { ...sightingValues(seen), ':true': true },
    });
    if (outcome.done) return 'trusted';
    return outcome.refused === undefined ? 'unknown' : 'quarantined';
  },

  /**
   * Quarantines a device, or renews its quarantine, and keeps what it was first known by.
   *
   * @returns 'trusted' when somebody verified it meanwhile: that is never undone here.
   */
  async quarantine(
    device: Pick<Device, 'id' | 'userId' | 'deviceId' | 'deviceName' | 'os'>,
    seen: Sighting,
  ): Promise<Standing> {
    const { id, userId, deviceId, deviceName, os } = device;
    const expiresAtMs = seen.atMs + deviceLimits.quarantineMs;
    const outcome = await updateItem(keys.device(userId, deviceId), {
      UpdateExpression: [
        `SET ${sighting}, userId=:userId, deviceId=:deviceId, deviceName=:deviceName, #os=:os, isVerified=:false`,
        'expiresAtMs=:expiresAtMs, #ttl=:ttl, id=if_not_exists(id,:id), createdAtMs=if_not_exists(createdAtMs,:at)',
      ].join(', '),
      ConditionExpression: isNotTrusted,
      ExpressionAttributeNames: { ...sightingNames, '#os': 'os', '#ttl': tableSchema.timeToLive },
      ExpressionAttributeValues: {
        ...sightingValues(seen),
        ...{ ':id': id, ':userId': userId, ':deviceId': deviceId, ':deviceName': deviceName, ':os': os },
        ...{ ':expiresAtMs': expiresAtMs, ':ttl': Math.ceil(expiresAtMs / 1000), ':false': false },
      },
    });
    return outcome.done ? 'quarantined' : 'trusted';
  },

  /** Removes the quarantined devices that crowd out a newcomer; a trusted one never. */
  async makeRoom(userId: string, newcomerId: string, nowMs: number): Promise<void> {
    const others = (await this.all(userId, nowMs)).filter(({ deviceId }) => deviceId !== newcomerId);
    await Promise.all(
      crowdedOut(others, nowMs).map(({ deviceId }) =>
        deleteItem(keys.device(userId, deviceId), {
          ConditionExpression: isQuarantined,
          ExpressionAttributeValues: { ':false': false },
        }),
      ),
    );
  },

  /** The user's devices, those whose quarantine is over left out. */
  async all(userId: string, nowMs: number): Promise<Device[]> {
    const items = (await queryItems(keys.devices(userId))) as unknown as Device[];
    return items.filter((device) => isLive(device, nowMs));
  },

  /**
   * Trusts a quarantined device in one transaction with all that goes with it: the code is used up, the user has
   * the address (from now on, if he had none), the alert is due, and the longest unused devices make room.
   *
   * @param devices the user's, as they were read.
   * @returns whether all of it holds; nothing is written otherwise.
   */
  async trust(
    device: Device,
    devices: readonly Device[],
    { slot, codeId, alert }: { slot: CodeSlot; codeId: string; alert: Alert },
    nowMs: number,
  ): Promise<boolean> {
    const { userId, deviceId } = device;
    const trusting: Update = {
      UpdateExpression: 'SET isVerified = :true, lastUsedAtMs = :now REMOVE expiresAtMs, #ttl',
      ConditionExpression: `${isQuarantined} AND expiresAtMs > :now`,
      ExpressionAttributeNames: { '#ttl': tableSchema.timeToLive },
      ExpressionAttributeValues: { ':true': true, ':false': false, ':now': nowMs },
    };
    const owning: Update = {
      UpdateExpression: 'SET email = :email, userId = :userId',
      ConditionExpression: 'attribute_not_exists(email) OR email = :email',
      ExpressionAttributeValues: { ':email': slot.email, ':userId': userId },
    };
    const removals: Write[] = outgrown(devices).map((old) => ({
      Delete: { Key: keys.device(userId, old.deviceId) },
    }));
    return transactWrite([
      consumption(slot, codeId, nowMs),
      { Update: { Key: keys.device(userId, deviceId), ...trusting } },
      { Update: { Key: keys.user(userId), ...owning } },
      { Put: { Item: { ...alertKey(alert), ...alert } } },
      ...removals,
    ]);
  },

  /** Removes a device, if there is one. */
  async revoke(userId: string, deviceId: string): Promise<void> {
    await deleteItem(keys.device(userId, deviceId));
  },
};

const sighting = 'ipAddress=:ipAddress, #location=:location, isp=:isp, lastUsedAtMs=:at';
const sightingNames = { '#location': 'location' };

function sightingValues({ ipAddress, location, isp, atMs }: Sighting) {
  return { ':ipAddress': ipAddress, ':location': location, ':isp': isp, ':at': atMs };
}

/** Mails that are due, in the table. */
export const alertStore = {
  /** Those of a shard, whoever holds them. */
  async all(shard: number): Promise<Alert[]> {
    return (await queryItems(keys.alerts(shard), 1)) as unknown as Alert[];
  },

  /**
   * Takes over an alert whose lease is over, for one more attempt.
   *
   * @returns undefined when somebody else was faster, or has sent it.
   */
  async claim(alert: Alert, nowMs: number): Promise<Alert | undefined> {
    const outcome = await updateItem(alertKey(alert), {
      UpdateExpression: 'SET leasedUntilMs = :until, attempts = attempts + :one',
      ConditionExpression: 'leasedUntilMs = :seen AND leasedUntilMs <= :now',
      ExpressionAttributeValues: {
        ':until': leaseMs(alert.attempts, nowMs),
        ':one': 1,
        ':seen': alert.leasedUntilMs,
        ':now': nowMs,
      },
    });
    return outcome.done ? (outcome.item as unknown as Alert) : undefined;
  },

  async remove(alert: Alert): Promise<void> {
    await deleteItem(alertKey(alert));
  },
};

import { type CodeSlot, consumption } from '../shared/auth/one-time-code-key.ts';
import { devicePrefixes, keys, tableSchema } from '../shared/contract/keys.ts';
import {
  deleteItem,
  getItem,
  queryItems,
  transactWrite,
  type Update,
  updateItem,
  type Write,
} from '../shared/table/table.ts';
import { type Alert, alertKey, leaseMs } from './alert.ts';
import { crowdedOut, type Device, deviceLimits, isQuarantined, outgrown, type Sighting } from './device.ts';

/** Of 1 MB each: some 5,000 records, more than a user has unless somebody floods him. */
const quarantinePages = 2;

/** Devices in the table. Trusted ones and those in quarantine lie apart: no number of these can hide one of those. */
export const deviceStore = {
  /**
   * Records a sighting of a trusted device, in one conditional write.
   *
   * @returns whether the device is trusted.
   */
  async refreshTrusted(userId: string, deviceId: string, seen: Sighting): Promise<boolean> {
    const outcome = await updateItem(keys.trusted(userId, deviceId), {
      UpdateExpression: `SET ${sighting}`,
      ConditionExpression: isThere,
      ExpressionAttributeNames: sightingNames,
      ExpressionAttributeValues: sightingValues(seen),
    });
    return outcome.done;
  },

  /**
   * Quarantines a device, or renews its quarantine, and keeps what it was first known by. Should it be trusted at
   * this very moment, the record stays behind and changes nothing: trust is the other record.
   *
   * @returns whether the device is new.
   */
  async quarantine(
    device: Pick<Device, 'id' | 'userId' | 'deviceId' | 'deviceName' | 'os'>,
    seen: Sighting,
  ): Promise<boolean> {
    const { id, userId, deviceId, deviceName, os } = device;
    const expiresAtMs = seen.atMs + deviceLimits.quarantineMs;
    const outcome = await updateItem(keys.quarantined(userId, deviceId), {
      UpdateExpression: [
        `SET ${sighting}, userId=:userId, deviceId=:deviceId, deviceName=:deviceName, #os=:os, isVerified=:false`,
        'expiresAtMs=:expiresAtMs, #ttl=:ttl, id=if_not_exists(id,:id), createdAtMs=if_not_exists(createdAtMs,:at)',
      ].join(', '),
      ExpressionAttributeNames: { ...sightingNames, '#os': 'os', '#ttl': tableSchema.timeToLive },
      ExpressionAttributeValues: {
        ...sightingValues(seen),
        ':id': id,
        ':userId': userId,
        ':deviceId': deviceId,
        ':deviceName': deviceName,
        ':os': os,
        ':expiresAtMs': expiresAtMs,
        ':ttl': Math.ceil(expiresAtMs / 1000),
        ':false': false,
      },
    });
    return outcome.done && outcome.item.id === id;
  },

  /** Removes quarantined devices that crowd the user's list, some at a time; a trusted one never. */
  async makeRoom(userId: string, nowMs: number): Promise<void> {
    const [trusted, quarantined] = await Promise.all([this.trusted(userId), this.quarantined(userId, nowMs)]);
    const leaving = crowdedOut(quarantined, trusted.length, nowMs);
    await Promise.all(leaving.map(({ deviceId }) => deleteItem(keys.quarantined(userId, deviceId))));
  },

  async trusted(userId: string): Promise<Device[]> {
    return (await queryItems(keys.devices(userId), devicePrefixes.trusted)) as unknown as Device[];
  },

  /** Those whose quarantine is over are left out: the table removes them later. */
  async quarantined(userId: string, nowMs: number): Promise<Device[]> {
    const found = await queryItems(keys.devices(userId), devicePrefixes.quarantined, quarantinePages);
    return (found as unknown as Device[]).filter((device) => isQuarantined(device, nowMs));
  },

  /** A device that can be trusted now. */
  async findQuarantined(userId: string, deviceId: string, nowMs: number): Promise<Device | undefined> {
    const device = (await getItem(keys.quarantined(userId, deviceId))) as unknown as Device | undefined;
    return device && isQuarantined(device, nowMs) ? device : undefined;
  },

  /**
   * Trusts a quarantined device in one transaction with all that goes with it: the code is used up, the user has
   * the address (from now on, if he had none), the alert is due, and the longest unused devices make room.
   *
   * @param trusted the user's, as they were read.
   * @returns whether all of it holds; nothing is written otherwise.
   */
  async trust(
    device: Device,
    trusted: readonly Device[],
    { slot, codeId, alert }: { slot: CodeSlot; codeId: string; alert: Alert },
    nowMs: number,
  ): Promise<boolean> {
    const { userId, deviceId } = device;
    const {
      expiresAtMs: _,
      [tableSchema.timeToLive]: __,
      ...kept
    } = device as Device & Record<string, unknown>;
    const owning: Update = {
      UpdateExpression: 'SET email = :email, userId = :userId',
      ConditionExpression: 'attribute_not_exists(email) OR email = :email',
      ExpressionAttributeValues: { ':email': slot.email, ':userId': userId },
    };
    const removals: Write[] = outgrown(trusted).map((old) => ({
      Delete: { Key: keys.trusted(userId, old.deviceId) },
    }));
    return transactWrite([
      consumption(slot, codeId, nowMs),
      {
        Delete: {
          Key: keys.quarantined(userId, deviceId),
          ConditionExpression: 'expiresAtMs > :now',
          ExpressionAttributeValues: { ':now': nowMs },
        },
      },
      {
        Put: {
          Item: { ...kept, ...keys.trusted(userId, deviceId), isVerified: true, lastUsedAtMs: nowMs },
          ConditionExpression: `attribute_not_exists(${tableSchema.partitionKey})`,
        },
      },
      { Update: { Key: keys.user(userId), ...owning } },
      { Put: { Item: { ...alertKey(alert), ...alert } } },
      ...removals,
    ]);
  },

  /** Removes a device, if there is one. */
  async revoke(userId: string, deviceId: string): Promise<void> {
    // Both at once: one after the other would miss a device that is being trusted in between.
    await transactWrite([
      { Delete: { Key: keys.trusted(userId, deviceId) } },
      { Delete: { Key: keys.quarantined(userId, deviceId) } },
    ]);
  },
};

const isThere = `attribute_exists(${tableSchema.partitionKey})`;
const sighting = 'ipAddress=:ipAddress, #location=:location, isp=:isp, lastUsedAtMs=:at';
const sightingNames = { '#location': 'location' };

function sightingValues({ ipAddress, location, isp, atMs }: Sighting) {
  return { ':ipAddress': ipAddress, ':location': location, ':isp': isp, ':at': atMs };
}

/** Mails that are due, in the table. */
export const alertStore = {
  /** Those of a shard, whoever holds them. */
  async all(shard: number): Promise<Alert[]> {
    return (await queryItems(keys.alerts(shard), '', 1)) as unknown as Alert[];
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

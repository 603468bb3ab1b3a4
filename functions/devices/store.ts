import { codeConsumption, type RightCode } from '../shared/auth/one-time-code-key.ts';
import { devicePrefixes, keys, tableSchema } from '../shared/contract/keys.ts';
import {
  deleteItem,
  exists,
  getItem,
  notExists,
  queryItems,
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

/**
 * Devices in the table. Trusted and quarantined devices have separate keys, so that no number of quarantined
 * devices can hide a trusted one.
 */
export const deviceStore = {
  /**
   * Records a sighting of a trusted device in one conditional write. A newer sighting is kept.
   *
   * @returns whether the device is trusted.
   */
  async refreshTrusted(userId: string, deviceId: string, sighting: Sighting): Promise<boolean> {
    const outcome = await updateItem(keys.trusted(userId, deviceId), {
      UpdateExpression: `SET ${sightingUpdate}`,
      ConditionExpression: `${exists} AND lastUsedAtMs <= :at`,
      ExpressionAttributeNames: sightingNames,
      ExpressionAttributeValues: sightingValues(sighting),
      guard: { newest: 'lastUsedAtMs' },
    });
    return outcome.done || outcome.refused !== undefined;
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
      ExpressionAttributeNames: { ...sightingNames, '#os': 'os', '#ttl': tableSchema.timeToLive },
      ExpressionAttributeValues: {
        ...sightingValues(sighting),
        ':id': id,
        ':userId': userId,
        ':deviceId': deviceId,
        ':deviceName': deviceName,
        ':os': os,
        ':expiresAtMs': expiresAtMs,
        ':ttl': Math.ceil(expiresAtMs / 1000),
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
    return (await queryItems(keys.devicePartition(userId), devicePrefixes.trusted)) as unknown as Device[];
  },

  /** Devices in quarantine. Expired records are left out, because DynamoDB deletes them late. */
  async quarantined(userId: string, nowMs: number): Promise<Device[]> {
    const items = await queryItems(
      keys.devicePartition(userId),
      devicePrefixes.quarantined,
      maxQuarantinePages,
    );
    return (items as unknown as Device[]).filter((device) => isQuarantined(device, nowMs));
  },

  /** A device in quarantine, which can be trusted. */
  async findQuarantined(userId: string, deviceId: string, nowMs: number): Promise<Device | undefined> {
    const device = (await getItem(keys.quarantined(userId, deviceId))) as unknown as Device | undefined;
    return device && isQuarantined(device, nowMs) ? device : undefined;
  },

  /**
   * Trusts a quarantined device in one transaction: consumes the code, binds the address to the user unless
   * it is bound already, stores the alert, and removes the least recently used devices beyond the limit.
   *
   * @param trusted the user's trusted devices.
   * @returns whether all conditions were met. Otherwise nothing is written.
   */
  async trust(
    device: Device,
    trusted: readonly Device[],
    { code, alert }: { code: RightCode; alert: Alert },
    nowMs: number,
  ): Promise<boolean> {
    const { userId, deviceId } = device;
    const {
      expiresAtMs: _,
      [tableSchema.timeToLive]: __,
      ...attributes
    } = device as Device & Record<string, unknown>;
    const bindAddress: Update = {
      UpdateExpression: 'SET email = :email, userId = :userId',
      ConditionExpression: 'attribute_not_exists(email) OR email = :email',
      ExpressionAttributeValues: { ':email': code.slot.email, ':userId': userId },
    };
    const removals: Write[] = selectReplaced(trusted).map((replaced) => ({
      Delete: { Key: keys.trusted(userId, replaced.deviceId) },
    }));
    return transactWrite([
      ...codeConsumption(code, nowMs),
      {
        Delete: {
          Key: keys.quarantined(userId, deviceId),
          ConditionExpression: 'expiresAtMs > :now',
          ExpressionAttributeValues: { ':now': nowMs },
        },
      },
      {
        Put: {
          Item: { ...attributes, ...keys.trusted(userId, deviceId), isVerified: true, lastUsedAtMs: nowMs },
          ConditionExpression: notExists,
        },
      },
      { Update: { Key: keys.user(userId), ...bindAddress } },
      { Put: { Item: { ...alertKey(alert), ...alert } } },
      ...removals,
    ]);
  },

  /** Removes a device if it exists. */
  async revoke(userId: string, deviceId: string): Promise<void> {
    // In one transaction: two deletes in sequence would miss a device that is trusted in between.
    await transactWrite([
      { Delete: { Key: keys.trusted(userId, deviceId) } },
      { Delete: { Key: keys.quarantined(userId, deviceId) } },
    ]);
  },
};

const sightingUpdate = 'ipAddress=:ipAddress, #location=:location, isp=:isp, lastUsedAtMs=:at';
const sightingNames = { '#location': 'location' };

function sightingValues({ ipAddress, location, isp, atMs }: Sighting) {
  return { ':ipAddress': ipAddress, ':location': location, ':isp': isp, ':at': atMs };
}

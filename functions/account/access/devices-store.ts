import type { User } from '../../shared/accounts/users.ts';
import { deviceRemoval, isTrustInEffect, queryTrustedDevices } from '../../shared/auth/trusted-device.ts';
import type { TrustedDevice } from '../../shared/contract/device-proof.ts';
import { chunks } from '../../shared/runtime/chunks.ts';
import { recordReader } from '../../shared/table/record.ts';
import { transactWrite } from '../../shared/table/table.ts';

/** A trusted device as the page shows it. Times are epoch milliseconds. */
export interface AccountDevice extends Pick<TrustedDevice, 'securityStamp'> {
  deviceId: string;
  deviceName: string;
  ipAddress: string;
  /** "City, Country", or 'Unknown'. Like the network, it is an estimate from the address. */
  location: string;
  isp: string;
  lastUsedAtMs: number;
  createdAtMs: number;
}

const readAccountDevice = recordReader<AccountDevice>(['deviceId', 'deviceName']);

/** A transaction has at most 100 writes, and a device takes two. */
const devicesPerTransaction = 50;

export const accountDevices = {
  /** All of them, those of a former security stamp included. */
  async list(userId: string): Promise<AccountDevice[]> {
    return (await queryTrustedDevices(userId)).map(readAccountDevice);
  },

  /**
   * Removes devices if they exist. With the trust it removes the quarantine of a device: a device that is being verified at
   * the same time does not come back. Sent again, it has no effect.
   */
  async remove(userId: string, deviceIds: readonly string[]): Promise<void> {
    for (const some of chunks(deviceIds, devicesPerTransaction)) {
      await transactWrite(some.flatMap((deviceId) => deviceRemoval(userId, deviceId)));
    }
  },
};

/** The devices whose trust is in effect, the last used first. */
export function inEffect(devices: readonly AccountDevice[], user: User): AccountDevice[] {
  return devices
    .filter((device) => isTrustInEffect(device, user))
    .toSorted((a, b) => b.lastUsedAtMs - a.lastUsedAtMs);
}

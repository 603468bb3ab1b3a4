import type { components } from '../api/schema.ts';
import type { Fetch } from '../fetch.ts';
import type { EncryptedVault } from './vault-encryption.ts';

/** The parts of the page or the process that a client uses. */
export interface VaultSurroundings {
  /** `fetch` by default. */
  fetch: Fetch;
  /** The time of the device, epoch milliseconds; `Date.now` by default. */
  nowMs: () => number;
  /** Waits before a request is sent again; `setTimeout` by default. */
  wait: (ms: number) => Promise<void>;
  /** Milliseconds until an attempt is given up; 120,000 by default. */
  timeoutMs: number;
}

/** How the user authenticates. Without either, only a deployment that asks for no proof answers. */
export interface VaultAuthentication {
  /** The proof of the master password, from `authHash`. */
  authHash?: string;
  /** An OAuth access token with the scope `vault`, in place of `authHash`. */
  accessToken?: string;
}

export interface DeviceState {
  /** When false, call `sendCode` and `verifyDevice`. */
  verified: boolean;
  deviceId: string;
}

/** A device as the service lists it. */
export type ListedDevice = components['schemas']['Device'];

export type StoredVault = components['schemas']['GetVaultResponse'];

/** A vault to store. */
export interface VaultWrite extends EncryptedVault {
  /** The version that was read last; 0 or absent for a new vault. */
  version?: number;
}

import type { EncryptedVault } from './vault-encryption.ts';

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

/** A device as the service lists it. Times are ISO 8601. */
export interface ListedDevice {
  _id: string;
  user_id: string;
  /** The device id. */
  device_fingerprint_hash: string;
  device_name: string;
  /** True for a trusted device, false for a quarantined one. */
  is_verified: boolean;
  ip_address: string;
  location: string;
  isp: string;
  os: string;
  last_used_at: string;
  created_at: string;
}

export interface StoredVault extends EncryptedVault {
  /** Number of writes, starting at 1. */
  version: number;
  /** ISO 8601. */
  updated_at: string;
}

/** A vault to store. */
export interface VaultWrite extends EncryptedVault {
  /** The version that was read last; 0 or absent for a new vault. */
  version?: number;
}

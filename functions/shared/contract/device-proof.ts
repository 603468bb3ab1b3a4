/** The proof that a request comes from a trusted device itself: a token, or a key that signs requests. */

/** The proof of a trusted device, as its record keeps it. A device that was verified without a proof has none of it. */
export interface DeviceCredential {
  /** The SHA-256 of the device token, in hexadecimal. */
  tokenHash?: string;
  /** The thumbprint of the device key: RFC 7638. */
  keyThumbprint?: string;
  /** Whether the device has presented its proof. A device with a key has done so from the start. */
  deviceProofPresented?: boolean;
}

export interface TrustedDevice extends DeviceCredential {
  id: string;
  /** Of the user when the device was verified. */
  securityStamp?: string;
  /** When the master password was last proved, by client address as rate limits count it. Epoch milliseconds. */
  passwordProvedFrom?: Readonly<Record<string, number>>;
}

/** The proof of possession of a device that a request presents. Whether it is that of the device is not checked yet. */
export type PresentedDeviceProof =
  | { kind: 'none' }
  | { kind: 'token'; tokenHash: string }
  /** The thumbprint of the key (RFC 7638) of a verified signature, and the id of the signed proof. */
  | { kind: 'key'; keyThumbprint: string; jti: string }
  /** `problem` is what is wrong with a signed proof that the client can make again. */
  | { kind: 'invalid'; problem: string | undefined };

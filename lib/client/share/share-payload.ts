export interface SealedShare {
  /** Base64 of ciphertext and tag. */
  data_blob: string;
  /** Base64 of the data's 12-byte IV. */
  iv: string;
  /** Base64 of the metadata's own IV, ciphertext and tag; null when there is no metadata. */
  meta_blob: string | null;
}

/** A stored share. The field of the metadata may be absent. */
export type SealedPayload = Omit<SealedShare, 'meta_blob'> & Partial<Pick<SealedShare, 'meta_blob'>>;

/** Decrypted bytes. */
export interface Plaintext {
  bytes: Uint8Array<ArrayBuffer>;
  /** The bytes decoded as UTF-8, without any change. @throws {ShareError} `not_text` */
  text(): string;
}

export interface DecryptedShare {
  secret: Plaintext;
  /** Null when the share has no metadata. */
  metadata: Plaintext | null;
}

/** The body of POST /api/share, without its other options. */
export interface SharePayload extends SealedShare {
  /** The hash that the service compares the share proof with. Present with `accessProof` and with a passphrase. */
  access_proof?: string;
}

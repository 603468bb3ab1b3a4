/**
 * Base64 text stored as bytes, three quarters of its size, and restored character for character.
 *
 * Clients send either alphabet, padded or not (RFC 4648 sections 4 and 5), and some encoders leave non-zero bits in the
 * last characters. All groups of four characters but the last are therefore stored as bytes, and the last verbatim.
 */
export interface PackedBase64 {
  /** All groups of four characters but the last. */
  bytes: Uint8Array;
  /** The last one to four characters, padding included. */
  tail: string;
  alphabet: Alphabet;
}

type Alphabet = 'base64' | 'base64url';

const standard = /^[A-Za-z0-9+/]*$/;
const url = /^[A-Za-z0-9_-]*$/;

/** Decoded size in bytes, or undefined when `text` is not Base64. */
export function base64Size(text: string): number | undefined {
  const padding = text.endsWith('==') ? 2 : Number(text.endsWith('='));
  const characters = text.length - padding;
  if (padding > 0 && text.length % 4 !== 0) return undefined;
  if (characters % 4 === 1) return undefined;
  const unpadded = padding > 0 ? text.slice(0, characters) : text;
  return standard.test(unpadded) || url.test(unpadded) ? Math.floor((characters * 3) / 4) : undefined;
}

export function packBase64(text: string): PackedBase64 {
  const cut = Math.max(0, Math.ceil(text.length / 4) - 1) * 4;
  const alphabet: Alphabet = /[-_]/.test(text) ? 'base64url' : 'base64';
  return { bytes: Buffer.from(text.slice(0, cut), alphabet), tail: text.slice(cut), alphabet };
}

export function unpackBase64({ bytes, tail, alphabet }: PackedBase64): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(alphabet) + tail;
}

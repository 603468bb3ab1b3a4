/**
 * Base64 (RFC 4648 sections 4 and 5) by table. `btoa` and `atob` take strings with one character per byte, which are slow to
 * build and overflow the stack when spread.
 */
const shared = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const standard = new TextEncoder().encode(`${shared}+/`);
const url = new TextEncoder().encode(`${shared}-_`);

const none = 0xff;
const values = new Uint8Array(128).fill(none);
for (const alphabet of [standard, url]) {
  for (const [value, character] of alphabet.entries()) values[character] = value;
}

/** Standard alphabet, padded. */
export function encodeBase64(bytes: Uint8Array): string {
  const text = encode(bytes, standard);
  return text.padEnd(Math.ceil(text.length / 4) * 4, '=');
}

/** URL alphabet, without padding. */
export const encodeBase64Url = (bytes: Uint8Array): string => encode(bytes, url);

/** Decodes either alphabet, with or without padding; undefined when the text is not Base64. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  // JavaScript callers may pass any parsed value.
  if (typeof text !== 'string') return undefined;
  const padding = Number(text.endsWith('=')) + Number(text.endsWith('=='));
  const length = text.length - padding;
  if ((padding > 0 && text.length % 4 !== 0) || length % 4 === 1) return undefined;

  const bytes = new Uint8Array(Math.floor((length * 3) / 4));
  // Older bits overflow the 32 bits of an integer; at most the lowest 14 are still needed.
  let bits = 0;
  let count = 0;
  let at = 0;
  for (let i = 0; i < length; i++) {
    const value = values[text.charCodeAt(i)] ?? none;
    if (value === none) return undefined;
    bits = (bits << 6) | value;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes[at++] = bits >> count;
    }
  }
  return bytes;
}

function encode(bytes: Uint8Array, alphabet: Uint8Array): string {
  const characters = new Uint8Array(Math.ceil((bytes.length * 4) / 3));
  let bits = 0;
  let count = 0;
  let at = 0;
  const put = (value: number) => {
    characters[at++] = alphabet[value & 63] ?? 0;
  };
  for (const byte of bytes) {
    bits = (bits << 8) | byte;
    for (count += 8; count >= 6; ) {
      count -= 6;
      put(bits >> count);
    }
  }
  if (count > 0) put(bits << (6 - count));
  return new TextDecoder().decode(characters);
}

/**
 * The bytes of a content, copied: WebCrypto refuses memory that threads share. A string is encoded as UTF-8.
 *
 * @throws TypeError when the content is neither a string nor bytes
 */
export function bytesOf(content: string | Uint8Array): Uint8Array<ArrayBuffer> {
  if (typeof content === 'string') return new TextEncoder().encode(content);
  // Anything else would be encrypted as nothing or as zeros, and the content would be lost.
  if (!ArrayBuffer.isView(content)) throw new TypeError('A string or a Uint8Array is required.');
  return new Uint8Array(content.buffer, content.byteOffset, content.byteLength).slice();
}

export function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/**
 * WebCrypto of this page or process.
 *
 * @throws Error on a page that is no secure context: browsers take `crypto.subtle` away there.
 */
export function webCrypto(): typeof crypto {
  if (globalThis.crypto?.subtle === undefined) {
    throw new Error('WebCrypto is not available: the page must come over HTTPS or from localhost.');
  }
  return globalThis.crypto;
}

/** Fresh random bytes. */
export function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return webCrypto().getRandomValues(new Uint8Array(length));
}

/**
 * WebCrypto of this page or process.
 *
 * @throws Error on a page that is not a secure context, where browsers do not provide `crypto.subtle`.
 */
export function webCrypto(): typeof crypto {
  if (globalThis.crypto?.subtle === undefined) {
    throw new Error('WebCrypto is not available: the page must come over HTTPS or from localhost.');
  }
  return globalThis.crypto;
}

export function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return webCrypto().getRandomValues(new Uint8Array(length));
}

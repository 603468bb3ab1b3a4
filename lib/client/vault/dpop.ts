import { encodeBase64Url } from '../base64.ts';
import { randomBytes, webCrypto } from '../web-crypto.ts';

/** A key that WebCrypto holds. */
type CryptoKey = Parameters<typeof crypto.subtle.sign>[1];

/** The key pair of a device: ECDSA with P-256. The private key signs and cannot be exported. */
export interface DeviceKey {
  publicKey: CryptoKey;
  privateKey: CryptoKey;
}

/** The public members of a P-256 key (RFC 7518 section 6.2.1): coordinates in base64url. */
export interface PublicJwk {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
}

export interface ProvenRequest {
  method: string;
  /** Absolute; query and fragment are left out of the proof. */
  url: string;
  /** The bytes that are sent; undefined without a body. */
  body: Uint8Array<ArrayBuffer> | undefined;
}

const curve = { name: 'ECDSA', namedCurve: 'P-256' };
const jtiBytes = 16;

/** A new key pair, of which no script can read the private key. */
export async function newDeviceKey(): Promise<DeviceKey> {
  const { publicKey, privateKey } = await webCrypto().subtle.generateKey(curve, false, ['sign', 'verify']);
  return { publicKey, privateKey };
}

/** The public key as the service stores it, without the members `ext` and `key_ops` of WebCrypto. */
export async function publicJwk({ publicKey }: DeviceKey): Promise<PublicJwk> {
  const { x = '', y = '' } = await webCrypto().subtle.exportKey('jwk', publicKey);
  return { kty: 'EC', crv: 'P-256', x, y };
}

/**
 * A DPoP proof (RFC 9449 section 4.2) for one request, with the claim `content_digest`: the SHA-256 of the body.
 * Each proof has a new `jti`, so a proof is made for every attempt.
 *
 * Own code rather than the package `dpop`: that one sets `iat` to the time of the device, which may be wrong.
 *
 * @param nowMs the time of the service, epoch milliseconds.
 */
export async function dpopProof(
  key: DeviceKey,
  { method, url, body }: ProvenRequest,
  nowMs: number,
): Promise<string> {
  const { subtle } = webCrypto();
  const { origin, pathname } = new URL(url);
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: await publicJwk(key) };
  const claims = {
    htm: method,
    htu: `${origin}${pathname}`,
    iat: Math.floor(nowMs / 1000),
    jti: encodeBase64Url(randomBytes(jtiBytes)),
    // JSON leaves out what is undefined.
    content_digest: body && encodeBase64Url(new Uint8Array(await subtle.digest('SHA-256', body))),
  };
  const signed = `${encodedJson(header)}.${encodedJson(claims)}`;
  // WebCrypto's signature is r and s in 32 bytes each, as RFC 7518 section 3.4 has it.
  const signature = await subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key.privateKey, utf8(signed));
  return `${signed}.${encodeBase64Url(new Uint8Array(signature))}`;
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const encodedJson = (value: unknown) => encodeBase64Url(utf8(JSON.stringify(value)));

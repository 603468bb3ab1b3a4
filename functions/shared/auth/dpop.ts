/** Signed proofs of possession of a key (DPoP, RFC 9449). The package is loaded on demand: most requests carry none. */
import { createHash, createPublicKey, type JsonWebKey } from 'node:crypto';
import type { JWTVerifyResult } from 'jose';
import { minuteMs } from '../runtime/clock.ts';

/** How far the time of a proof may be from that of the server, in both directions (RFC 9449 section 11.1). */
const maxAgeMs = minuteMs;
/** Far above the 500 characters of a proof. */
const maxProofLength = 4_096;

/** A valid proof. It has yet to be checked whether it is the first use of its id. */
export interface DpopProof {
  /** The SHA-256 thumbprint of the key (RFC 7638), in base64url. */
  thumbprint: string;
  jti: string;
}

export interface ProvenRequest {
  method: string;
  /** Without query and fragment. */
  url: string;
  /** The bytes of the body. Empty without one. */
  body: Uint8Array;
}

/** Why a proof is refused, as an ending of "The DPoP proof". */
export type DpopProblem = { problem: string };

/**
 * Verifies a proof as RFC 9449 section 4.3 lists it, with ES256 as the only algorithm. Beyond the RFC, `content_digest`
 * binds the proof to the body: the base64url SHA-256 of its bytes.
 */
export async function verifyDpop(
  jwt: string,
  { method, url, body }: ProvenRequest,
  nowMs: number,
): Promise<DpopProof | DpopProblem> {
  const verified = await verifySignature(jwt);
  if (verified === undefined)
    return { problem: 'is not a JWT of type dpop+jwt that its ES256 key has signed' };
  const { payload, protectedHeader } = verified;
  const { jti, iat, htm, htu, content_digest: contentDigest } = payload;
  if (typeof jti !== 'string' || !/^[\x21-\x7e]{12,256}$/.test(jti)) {
    return { problem: 'has no jti of 12 to 256 visible ASCII characters' };
  }
  if (htm !== method) return { problem: 'is for another method (htm)' };
  if (typeof htu !== 'string' || !isSameUrl(htu, url)) return { problem: 'is for another URL (htu)' };
  if (typeof iat !== 'number' || Math.abs(nowMs - iat * 1000) > maxAgeMs) {
    return { problem: `is older or newer than ${maxAgeMs / 1000} seconds (iat)` };
  }
  const isForBody = contentDigest === undefined ? body.length === 0 : contentDigest === sha256(body);
  if (!isForBody) return { problem: 'is for another body (content_digest)' };
  const { calculateJwkThumbprint } = await import('jose');
  return { thumbprint: await calculateJwkThumbprint(protectedHeader.jwk ?? {}), jti };
}

/**
 * The thumbprint of a public key of a client (RFC 7638); undefined when it is not a point of the curve.
 *
 * @param jwk with the public members of a P-256 key.
 */
export async function thumbprintOf(jwk: {
  kty: string;
  crv: string;
  x: string;
  y: string;
}): Promise<string | undefined> {
  try {
    createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  } catch {
    return undefined;
  }
  const { calculateJwkThumbprint } = await import('jose');
  return calculateJwkThumbprint(jwk);
}

async function verifySignature(jwt: string): Promise<JWTVerifyResult | undefined> {
  if (jwt.length > maxProofLength) return undefined;
  const { EmbeddedJWK, jwtVerify } = await import('jose');
  // The key is the caller's own: the thumbprint tells later whether it is that of the device.
  const options = { typ: 'dpop+jwt', algorithms: ['ES256'] };
  return jwtVerify(jwt, EmbeddedJWK, options).catch(() => undefined);
}

/** Compares after the normalization that RFC 9449 section 4.3 asks for, without query and fragment. */
function isSameUrl(htu: string, url: string): boolean {
  const claimed = URL.parse(htu);
  const actual = URL.parse(url);
  return (
    claimed !== null &&
    actual !== null &&
    claimed.origin === actual.origin &&
    claimed.pathname === actual.pathname
  );
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64url');

/** Proof Key for Code Exchange, RFC 7636; method S256 and no other. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether it can be a challenge: the 32 bytes of a SHA-256 in base64url. */
export function isChallenge(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** Whether the verifier is the one that the challenge was made of. */
export function answersChallenge(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier)) return false;
  const made = createHash('sha256').update(verifier).digest('base64url');
  return timingSafeEqual(Buffer.from(made), Buffer.from(challenge));
}

/** Proof Key for Code Exchange, RFC 7636. S256 is the only method. */
import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether the text has the form of a code challenge: the 32 bytes of a SHA-256 in base64url. */
export const isCodeChallenge = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);

/** Whether the code verifier matches the code challenge: RFC 7636 section 4.6. */
export function matchesCodeChallenge(verifier: string, challenge: string): boolean {
  if (!/^[A-Za-z0-9\-._~]{43,128}$/.test(verifier)) return false;
  const hash = createHash('sha256').update(verifier).digest('base64url');
  return timingSafeEqual(Buffer.from(hash), Buffer.from(challenge));
}

/** The only module that draws random values, all from the operating system's generator. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** An unguessable token: 128 random bits as 22 characters of base64url. */
export function randomToken(): string {
  return randomBytes(16).toString('base64url');
}

export function randomSalt(): Uint8Array {
  return randomBytes(16);
}

/** A key of 256 random bits for an HMAC with SHA-256, in Base64. */
export function randomHmacKey(): string {
  return randomBytes(32).toString('base64');
}

/** Identifies one request or one failure in the log. */
export function traceId(): string {
  return randomUUID();
}

/** Identifies a write, so that a copy of it is recognized. */
export function writeToken(): string {
  return randomUUID();
}

/** A delay of 1 to `maxMs` milliseconds, so that callers that collided do not collide again. */
export function jitterMs(maxMs: number): number {
  return randomInt(1, maxMs + 1);
}

export function randomFraction(): number {
  return randomInt(32) / 32;
}

/** A uniformly distributed six-digit code. */
export function sixDigits(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

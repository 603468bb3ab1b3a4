/** The one place that draws random values; all from the operating system's generator. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** A token that cannot be guessed: 128 random bits as 22 characters of base64url. */
export function randomToken(): string {
  return randomBytes(16).toString('base64url');
}

/** 128 random bits to hash with. */
export function randomSalt(): Uint8Array {
  return randomBytes(16);
}

/** Names one request or one failure in the log. */
export function traceId(): string {
  return randomUUID();
}

/** 1 to `maxMs` milliseconds, so that callers who collided do not meet again. */
export function jitterMs(maxMs: number): number {
  return randomInt(1, maxMs + 1);
}

/** 0 up to, not including, 1, in steps of 1/32: a digit of base 32 at a time. */
export function randomFraction(): number {
  return randomInt(32) / 32;
}

/** Six digits, every code as likely as any other. */
export function sixDigits(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}

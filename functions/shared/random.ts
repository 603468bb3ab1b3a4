/** The one place that draws random values; all from the operating system's generator. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** A token that cannot be guessed: 128 random bits as 22 characters of base64url. */
export function randomToken(): string {
  return randomBytes(16).toString('base64url');
}

/** Names one request or one failure in the log. */
export function traceId(): string {
  return randomUUID();
}

/** 1 to `maxMs` milliseconds, so that callers who collided do not meet again. */
export function jitterMs(maxMs: number): number {
  return randomInt(1, maxMs + 1);
}

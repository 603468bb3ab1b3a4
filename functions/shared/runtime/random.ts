/** The only module that draws random values, all from the operating system's generator. */
import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/** An unguessable token: 128 random bits as 22 characters of base64url. */
export const randomToken = (): string => randomBytes(16).toString('base64url');

export const randomSalt = (): Uint8Array => randomBytes(16);

/** A key of 256 random bits for an HMAC with SHA-256, in Base64. */
export const randomHmacKey = (): string => randomBytes(32).toString('base64');

/** Identifies one request or one failure in the log. */
export const traceId = (): string => randomUUID();

/** Identifies a write, so that a copy of it is recognized. */
export const writeToken = (): string => randomUUID();

/** A delay of 1 to `maxMs` milliseconds, so that callers that collided do not collide again. */
export const jitterMs = (maxMs: number): number => randomInt(1, maxMs + 1);

export const randomFraction = (): number => randomInt(32) / 32;

/** A uniformly distributed six-digit code. */
export const sixDigits = (): string => String(randomInt(1_000_000)).padStart(6, '0');

import { ulid } from 'ulid';
import { randomFraction } from './random.ts';

/** An id of a record: the prefix of its type, 48 bits of time, 80 random bits (https://github.com/ulid/spec). */
export function recordId(prefix: 'dev', nowMs: number): string {
  return `${prefix}_${ulid(nowMs, randomFraction)}`;
}

import { ulid } from 'ulid';
import { randomFraction } from './random.ts';

type RecordPrefix = 'acc' | 'app' | 'dev' | 'inv' | 'key' | 'lnk' | 'pln' | 'sub';

/** An id of a record: the prefix of its type, 48 bits of time, 80 random bits (https://github.com/ulid/spec). */
export function newId(prefix: RecordPrefix, nowMs: number): string {
  return `${prefix}_${ulid(nowMs, randomFraction)}`;
}
/** {@link newId}, as dependencies name it. */
export type NewId = typeof newId;

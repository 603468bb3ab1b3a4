import { decodeTime, ulid } from 'ulid';
import { randomFraction } from './random.ts';

/** The prefix of an id, by type of record. */
type IdPrefix =
  | 'acc'
  | 'app'
  | 'aud'
  | 'bst'
  | 'crn'
  | 'dev'
  | 'evt'
  | 'gnt'
  | 'inv'
  | 'jrn'
  | 'key'
  | 'lnk'
  | 'pay'
  | 'pln'
  | 'sub'
  | 'whk';

/** The id of a new record: the prefix of its type and a ULID, which is 48 bits of time and 80 random bits. */
export function newId(prefix: IdPrefix, nowMs: number): string {
  return `${prefix}_${ulid(nowMs, randomFraction)}`;
}

/** The type of {@link newId}, for dependencies. */
export type NewId = typeof newId;

/** A ULID is Crockford's Base32, without I, L, O and U (https://github.com/ulid/spec#encoding). */
const idPattern = /^([a-z]{3})_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Whether a value, from a cursor for example, has the form of an id with this prefix. A record with that id may not exist. */
export function isId(prefix: IdPrefix, value: unknown): value is string {
  return typeof value === 'string' && idPattern.exec(value)?.[1] === prefix;
}

/** When a record was created, in epoch milliseconds, by its id. @param id one that {@link newId} has given. */
export function idTimeMs(id: string): number {
  return decodeTime(id.slice(id.indexOf('_') + 1));
}

import { ulid } from 'ulid';
import { randomFraction } from './random.ts';

/** The prefix of an id, by type of record. */
type IdPrefix = 'acc' | 'app' | 'dev' | 'inv' | 'key' | 'lnk' | 'pln' | 'sub';

/** The id of a new record: the prefix of its type and a ULID, which is 48 bits of time and 80 random bits. */
export function newId(prefix: IdPrefix, nowMs: number): string {
  return `${prefix}_${ulid(nowMs, randomFraction)}`;
}

/** The type of {@link newId}, for dependencies. */
export type NewId = typeof newId;

/** Crockford's Base32, without I, L, O and U (https://github.com/ulid/spec#encoding). */
const ulidPattern = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** Whether the text has the form of an id with this prefix. A record with that id may not exist. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && ulidPattern.test(text.slice(prefix.length + 1));
}

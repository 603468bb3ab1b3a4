import { randomFraction } from './random.ts';

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
export const newId = (prefix: IdPrefix, nowMs: number): string => `${prefix}_${ulidAt(nowMs)}`;

/** Crockford's Base32, without I, L, O and U (https://github.com/ulid/spec#encoding). */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Ten digits of time and sixteen random ones: the package `ulid` would be 2 KB of each bundle. */
const ulidAt = (nowMs: number): string =>
  Array.from({ length: 26 }, (_, i) =>
    digits.charAt(i < 10 ? Math.floor(nowMs / 32 ** (9 - i)) % 32 : randomFraction() * 32),
  ).join('');

export type NewId = typeof newId;

const idPattern = /^([a-z]{3})_[0-9A-HJKMNP-TV-Z]{26}$/;

/** Whether a value, from a cursor for example, has the form of an id with this prefix. A record with that id may not exist. */
export function isId(prefix: IdPrefix, value: unknown): value is string {
  return typeof value === 'string' && idPattern.exec(value)?.[1] === prefix;
}

/** When a record was created, in epoch milliseconds, by its id. @param id one that {@link newId} has given. */
export function idTimeMs(id: string): number {
  const time = id.slice(id.indexOf('_') + 1).slice(0, 10);
  return [...time].reduce((ms, digit) => ms * 32 + digits.indexOf(digit), 0);
}

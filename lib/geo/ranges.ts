import type { Database } from './mmdb.ts';
import { type Branch, nothing } from './tree.ts';

/** Addresses from first to last, both included. */
export interface Range {
  readonly first: bigint;
  readonly last: bigint;
  readonly branch: Branch;
}

/**
 * Splits ranges into networks and joins them.
 *
 * @param bits of an address: 32 or 128.
 * @param ranges in ascending order of their first addresses. Where ranges overlap, as in real data, the one that begins
 *   first takes precedence.
 * @throws RangeError for ranges that are out of order, end before they begin or exceed the address space.
 */
export function joinRanges(database: Database, bits: 32 | 128, ranges: Iterable<Range>): Branch {
  const ordered = inOrder(ranges, (1n << BigInt(bits)) - 1n);
  let current = ordered.next().value;

  /** The branch of the block of `2 ** free` addresses that begins at `first`. */
  const block = (first: bigint, free: number): Branch => {
    const last = first + (1n << BigInt(free)) - 1n;
    while (current !== undefined && current.last < first) current = ordered.next().value;
    if (current === undefined || current.first > last) return nothing;
    if (current.first <= first && last <= current.last) return current.branch;
    const left = block(first, free - 1);
    return database.join(left, block(first + (1n << BigInt(free - 1)), free - 1));
  };
  return block(0n, bits);
}

function* inOrder(ranges: Iterable<Range>, spaceEnd: bigint): Generator<Range, undefined> {
  let begun = 0n;
  for (const range of ranges) {
    if (range.first < begun || range.last < range.first || range.last > spaceEnd) {
      throw new RangeError(`The range ${range.first} to ${range.last} is out of order or out of the space`);
    }
    begun = range.first;
    yield range;
  }
  return undefined;
}

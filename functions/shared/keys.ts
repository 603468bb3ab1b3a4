/**
 * Every key of the table, on one screen.
 *
 * A partition key is `PREFIX#segment[#segment]`; the prefix names the owner, and functions are granted
 * prefixes (`dynamodb:LeadingKeys`). Segments from outside are percent-encoded, so that no value can reach
 * into another key; case is kept.
 */
export const tableSchema = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Epoch seconds. DynamoDB deletes up to two days late, so it only cleans up: readers check expiry themselves. */
  timeToLive: 'ttl',
} as const;

export type KeyPrefix = 'RATE' | 'SHARE';

export interface Key {
  pk: string;
  sk: string;
}

/** Joins a prefix and encoded segments; injective, because `#` never survives in a segment. */
export function partition(prefix: KeyPrefix, ...segments: string[]): string {
  // A lone surrogate has no encoding (and no place in a key): it becomes U+FFFD, as it would in UTF-8.
  return [prefix, ...segments.map((segment) => encodeURIComponent(segment.toWellFormed()))].join('#');
}

export const keys = {
  /** The log of the last hits of one caller in one group. */
  rate: (group: string, caller: string): Key => ({ pk: partition('RATE', group, caller), sk: 'HITS' }),
  /** A share: its head, which alone makes it exist. */
  share: (shareId: string): Key => ({ pk: partition('SHARE', shareId), sk: 'HEAD' }),
  /** The n-th further piece (from 1) of a share too large for one item. */
  sharePart: (shareId: string, n: number): Key => ({
    pk: partition('SHARE', shareId),
    sk: `PART#${String(n).padStart(3, '0')}`,
  }),
};

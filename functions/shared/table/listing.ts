import { defined } from '../contract/defined.ts';
import * as keys from '../contract/keys.ts';
import { isoTime } from '../runtime/clock.ts';

export type ApplicationList =
  | 'subscription'
  | 'invoice'
  | 'client'
  | 'payment'
  | 'credit_note'
  | 'journal'
  | 'bank_statement';

/** The lists across applications. They have partitions of their own, so that no list of an application is granted them. */
export type Directory = 'application' | 'user' | 'decision';

/** The facts by which lists filter and reports count. Undefined facts are left out. */
export type Facts = Readonly<Record<string, unknown>>;

export interface Listing {
  list: string;
  /** ISO 8601 and `#` and the id: unique in the list. It never changes, so that a record keeps its place when its status changes. */
  listedAt: string;
  listed: Facts;
}

/**
 * The place of a record in the list of its kind and status.
 *
 * @param id of the record; a client's is that of the application.
 * @param atMs when the record was created, epoch milliseconds.
 */
export function listingAt(
  { applicationId, kind, status }: { applicationId: string; kind: ApplicationList; status: string },
  { id, atMs }: { id: string; atMs: number },
  facts: Facts,
): Listing {
  return {
    list: keys.listPartition(applicationId, kind, status, shardOf(id)),
    listedAt: `${isoTime(atMs)}#${id.toWellFormed()}`,
    listed: defined(facts),
  };
}

/** The place of a record in the list of its kind across applications. @param atMs as of {@link listingAt} */
export function directoryListing(
  kind: Directory,
  { id, atMs }: { id: string; atMs: number },
  facts: Facts = {},
): Listing {
  return {
    list: keys.directoryPartition(kind, shardOf(id)),
    listedAt: `${isoTime(atMs)}#${id.toWellFormed()}`,
    listed: defined(facts),
  };
}

/** The shard of a record. Ids of applications can end alike, so that every character counts. */
function shardOf(id: string): number {
  let sum = 0;
  for (const character of id) sum += character.codePointAt(0) ?? 0;
  return sum % keys.listShards;
}

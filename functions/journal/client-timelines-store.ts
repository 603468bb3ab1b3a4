/** The records of the journal of one client, from the timelines of their subscriptions: no other record moves what a client owes. */
import * as keys from '../shared/contract/keys.ts';
import { queryUpTo } from '../shared/table/query.ts';
import { recordReader } from '../shared/table/record.ts';
import type { Item } from '../shared/table/table.ts';
import type { DocumentedRecord } from './account-lines.ts';
import { bookedRecordReader } from './read-record.ts';

/** As many as one request reads. */
const maxSubscriptions = 100;

const readSubscriptionId = recordReader<{ subscriptionId: string }>(['subscriptionId']);
const readNotes = recordReader<{ creditNotes?: readonly string[] }>([]);

/**
 * The entries of the timelines of a client, strongly consistent, with and without movements of money.
 *
 * @param most entries that are read.
 * @returns undefined when there are more.
 */
export async function timelinesOf(
  applicationId: string,
  externalId: string,
  most: number,
): Promise<readonly Item[] | undefined> {
  const { pk: partition, sk: sortKeyPrefix } = keys.subscription(applicationId, externalId, '');
  const subscriptions = await queryUpTo({ partition, sortKeyPrefix }, maxSubscriptions + 1);
  if (subscriptions.length > maxSubscriptions) return undefined;
  const timelines = await Promise.all(
    subscriptions.map((item) => {
      const own = keys.subscriptionPartition(readSubscriptionId(item).subscriptionId);
      return queryUpTo({ partition: own, sortKeyPrefix: 'TIMELINE#' }, most + 1);
    }),
  );
  const entries = timelines.flat();
  return entries.length > most ? undefined : entries;
}

/** The records of timelines in the order of booking. @param timeZone of their days; UTC by default. */
export function recordsOf(timelines: readonly Item[], timeZone: string | undefined): DocumentedRecord[] {
  const readBooked = bookedRecordReader(timeZone);
  return timelines
    .filter(({ listed }) => listed !== undefined)
    .map((item) => Object.assign({ creditNotes: readNotes(item).creditNotes ?? [] }, readBooked(item)))
    .toSorted((a, b) => a.bookedAtMs - b.bookedAtMs);
}

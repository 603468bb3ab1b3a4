import * as keys from '../../shared/contract/keys.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import { queryItems } from '../../shared/table/query.ts';
import { recordReader } from '../../shared/table/record.ts';
import type { OutboxEntry } from '../../subscriptions/record/outbox-entry.ts';

export type SubscriptionMail = Extract<OutboxEntry, { kind: 'mail' }>;

type StoredEntry = OutboxEntry & { ttl?: number };
const readStoredEntry = recordReader<StoredEntry>(['subscriptionId', 'entryId', 'kind']);

export const placeOf = ({ createdAtMs, entryId }: SubscriptionMail) => `${isoTime(createdAtMs)} ${entryId}`;

export const subscriptionMailsStore = {
  /** The mails of a subscription that are kept, newest first, strongly consistent. The ids of entries have another order, so that all are read. */
  async newestFirst(subscriptionId: string, nowMs: number): Promise<SubscriptionMail[]> {
    const items = await queryItems(keys.subscriptionPartition(subscriptionId), 'OUTBOX#');
    return items
      .map(readStoredEntry)
      .filter((entry) => entry.kind === 'mail')
      .filter(({ ttl }) => ttl === undefined || ttl > keys.expirySeconds(nowMs))
      .sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
  },
};

import { defined } from '../../shared/contract/defined.ts';
import { encodeCursor, readCursor } from '../../shared/lambda/cursor.ts';
import type { ListPage } from '../../shared/lists/list-page.ts';
import { parseEventId } from '../events/event-id.ts';
import type { Delivery } from './delivery.ts';
import { deliveryStore } from './store.ts';

/** The most reads of one request: a filter by status can leave out what was read. */
const maxReads = 5;

/** A place in the deliveries to a webhook, and which of them. */
interface DeliveryQuery {
  applicationId: string;
  webhookId: string;
  limit: number;
  cursor: string | undefined;
  status: Delivery['status'] | undefined;
}

/**
 * The deliveries to a webhook, that of the newest event first. With a status, a page can have fewer than its limit.
 *
 * @throws ApiError `invalid_request` when the cursor is of another list.
 */
export async function deliveryPage({
  applicationId,
  webhookId,
  limit,
  cursor,
  status,
}: DeliveryQuery): Promise<ListPage<Delivery>> {
  const scope = ['deliveries', applicationId, webhookId, status ?? ''];
  const position = readCursor(scope, cursor, { event: (text) => parseEventId(text) !== undefined });
  const found: Delivery[] = [];
  let after = position?.event;
  let isLast = false;
  for (let reads = 0; reads < maxReads && !isLast && found.length <= limit; reads += 1) {
    const page = await deliveryStore.page(webhookId, { limit: limit + 1, startAfter: after });
    found.push(...page.deliveries.filter((delivery) => status === undefined || delivery.status === status));
    after = page.deliveries.at(-1)?.eventId ?? after;
    isLast = page.isLast;
  }
  const items = found.slice(0, limit);
  const goesOn = found.length > limit ? items.at(-1)?.eventId : after;
  const hasMore = found.length > limit || !isLast;
  return {
    items,
    ...defined({
      nextCursor: hasMore && goesOn !== undefined ? encodeCursor(scope, { event: goesOn }) : undefined,
    }),
  };
}

import { applicationCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { encodeCursor, readCursor } from '../shared/lambda/cursor.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { presentDelivery } from './api/present-delivery.ts';
import { defaultDeliveriesOfPage, route } from './contracts/delivery-list.ts';
import type { Delivery } from './deliveries/delivery.ts';
import { deliveryStore } from './deliveries/store.ts';
import { webhookStore } from './endpoints/store.ts';
import { parseEventId } from './events/event-id.ts';

/** The most reads of one request: a filter by status can leave out what was read. */
const maxReads = 5;

/** Lists the deliveries to a webhook, that of the newest event first. */
export async function listDeliveries({
  params: { id },
  query: { limit = defaultDeliveriesOfPage, cursor, status },
  caller,
}: Input<typeof route>): Promise<Output<typeof route>> {
  const scope = ['deliveries', caller.applicationId, id, status ?? ''];
  const position = readCursor(scope, cursor, { event: (text) => parseEventId(text) !== undefined });
  const webhook = await webhookStore.find(caller, id);
  if (webhook === undefined) throw new ApiError('not_found');
  const found: Delivery[] = [];
  let after = position?.event;
  let isLast = false;
  for (let reads = 0; reads < maxReads && !isLast && found.length <= limit; reads += 1) {
    const page = await deliveryStore.page(id, { limit: limit + 1, startAfter: after });
    found.push(...page.deliveries.filter((delivery) => status === undefined || delivery.status === status));
    after = page.deliveries.at(-1)?.eventId ?? after;
    isLast = page.isLast;
  }
  const shown = found.slice(0, limit);
  const goesOn = found.length > limit ? shown.at(-1)?.eventId : after;
  const hasMore = found.length > limit || !isLast;
  return {
    deliveries: shown.map(presentDelivery),
    ...defined({
      nextCursor: hasMore && goesOn !== undefined ? encodeCursor(scope, { event: goesOn }) : undefined,
    }),
  };
}

export const handler = endpoint(route, listDeliveries, applicationCaller);

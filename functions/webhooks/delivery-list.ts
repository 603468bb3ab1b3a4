import { applicationCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { endpoint, found, type Handler } from '../shared/lambda/endpoint.ts';
import { presentDelivery } from './api/present-delivery.ts';
import { defaultDeliveriesOfPage, deliveryListRoute } from './contracts/deliveries.ts';
import { deliveryPage } from './deliveries/delivery-page.ts';
import { webhookStore } from './endpoints/store.ts';

export const listDeliveries: Handler<typeof deliveryListRoute> = async ({
  params: { id },
  query: { limit = defaultDeliveriesOfPage, ...query },
  caller,
}) => {
  found(await webhookStore.find(caller, id));
  const { applicationId } = caller;
  const page = { applicationId, webhookId: id, limit, cursor: query.cursor, status: query.status };
  const { items, nextCursor } = await deliveryPage(page);
  return { deliveries: items.map(presentDelivery), ...defined({ nextCursor }) };
};

export const handler = endpoint(deliveryListRoute, listDeliveries, applicationCaller);

import { actionWrites } from '../shared/audit/write.ts';
import { applicationCaller } from '../shared/auth/bearer.ts';
import { found } from '../shared/contract/errors.ts';
import type { Handler } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { idempotentRequest } from '../shared/table/idempotency.ts';
import { presentDelivery } from './api/present-delivery.ts';
import { route } from './contracts/delivery-retry.ts';
import { parseDeliveryId } from './deliveries/delivery.ts';
import { retryOf } from './deliveries/retry.ts';
import { idempotencyScope } from './endpoints/webhook.ts';

const { method, path } = route;

export const retryDelivery: Handler<typeof route> = async ({
  params: { id },
  headers,
  caller,
  rateLimitPassed,
}) => {
  const ids = found(parseDeliveryId(id));
  const audit = actionWrites(caller, { action: 'delivery.retried', id });
  const key = headers['idempotency-key'];
  const request = idempotentRequest(idempotencyScope(caller), key, { method, path, body: { id } });
  const delivery = await retryOf(caller, { ...ids, audit, rateLimitPassed, request });
  return { delivery: presentDelivery(delivery) };
};

export const handler = endpoint(route, retryDelivery, applicationCaller);

import { secretHash } from '../shared/contract/secret.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { burn } from './receipt-store.ts';
import { burnRoute } from './routes.ts';
import { toReceipt } from './share.ts';

/** Burns a share. Its ciphertext is deleted before the response. */
export const burnShare: Handler<typeof burnRoute> = async ({ query, headers }) => {
  const nowMs = clock.nowMs();
  const record = await burn(query.id, secretHash(headers['x-receipt-token'] ?? ''), nowMs);
  if (record === undefined) throw new ApiError('share_gone');
  return toReceipt(record, nowMs);
};

export const handler = endpoint(burnRoute, burnShare);

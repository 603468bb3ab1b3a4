import { secretHash } from '../shared/contract/secret.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { readRecord } from './receipt-store.ts';
import { receiptRoute } from './routes.ts';
import { toReceipt } from './share.ts';

/** Tells what became of a share. Whoever has no valid token learns nothing, not even whether the share exists. */
export const readReceipt: Handler<typeof receiptRoute> = async ({ query, headers }) => {
  const nowMs = clock.nowMs();
  const record = await readRecord(query.id, secretHash(headers['x-receipt-token'] ?? ''), nowMs);
  if (record === undefined) throw new ApiError('share_gone');
  return toReceipt(record, nowMs);
};

export const handler = endpoint(receiptRoute, readReceipt);

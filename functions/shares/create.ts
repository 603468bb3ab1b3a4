import { defined } from '../shared/contract/defined.ts';
import { formatSecret, secretHash } from '../shared/contract/secret.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock, isoTime } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { createRoute } from './routes.ts';
import { expiryMs, viewsOf } from './share.ts';
import { shareStore } from './store.ts';

/**
 * Stores a share under an unguessable id.
 *
 * @throws ApiError `share_invalid` when the share is to open once and several times.
 */
export const createShare: Handler<typeof createRoute> = async ({ body }) => {
  const { data_blob: dataBlob, meta_blob: metaBlob, iv, access_proof: accessProof, receipt } = body;
  const maxViews = viewsOf(body);
  if (body.one_time === true && maxViews !== 1)
    throw new ApiError('share_invalid', { details: { max_views: 'must be 1 for a share with one_time' } });
  const createdAtMs = clock.nowMs();
  const expiresAtMs = expiryMs(createdAtMs, body.expires_in_hours);
  const share = { dataBlob, metaBlob, iv, createdAtMs, expiresAtMs };
  const receiptToken = receipt ? formatSecret('share_receipt', randomToken()) : undefined;
  const receiptHash = receiptToken && secretHash(receiptToken);
  const shareId = await shareStore.put(share, { accessProof, maxViews, receiptHash }, randomToken());
  return defined({ success: true as const, shareId, expiresAt: isoTime(expiresAtMs), receiptToken });
};

export const handler = endpoint(createRoute, createShare);

import { secretHash } from '../shared/contract/secret.ts';
import { startByteCount } from '../shared/lambda/byte-limit-check.ts';
import { clientKey } from '../shared/lambda/client-key.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock, isoTime } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { openRoute, shareByteLimit } from './routes.ts';
import { shareStore } from './store.ts';

/**
 * Opens a share.
 *
 * Unknown, expired, used-up and burned shares get the same response, so that ids cannot be probed. The bytes of the response
 * count for the address, beside the other calls to the table.
 */
export const openShare: Handler<typeof openRoute> = async ({ query, headers, remote }) => {
  const nowMs = clock.nowMs();
  // Refuses a caller who is known to be over the limit, before the share is claimed.
  const bytes = startByteCount(shareByteLimit, clientKey(remote.address), nowMs, 'share_limited');
  const proof = headers['x-share-proof'];
  const proofHash = proof ? secretHash(proof) : undefined;
  const share = await shareStore.consume(query.id, { nowMs, claim: randomToken(), bytes, proofHash });
  if (share === undefined) throw new ApiError('share_gone');
  const { dataBlob: data_blob, metaBlob: meta_blob, iv, createdAtMs } = share;
  return { data_blob, meta_blob, iv, created_at: isoTime(createdAtMs) };
};

export const handler = endpoint(openRoute, openShare);

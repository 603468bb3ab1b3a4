import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock, isoTime } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { routes } from './routes.ts';
import { expiryMs } from './share.ts';
import { shareStore } from './store.ts';

const createDeps = () => ({ shares: shareStore, clock, randomToken });

/** Stores a share under an unguessable id. */
export async function createShare(
  { body }: Input<typeof routes.create>,
  { shares, clock, randomToken }: ReturnType<typeof createDeps>,
): Promise<Output<typeof routes.create>> {
  const createdAtMs = clock.nowMs();
  const expiresAtMs = expiryMs(createdAtMs, body.expires_in_hours);
  const { data_blob: dataBlob, meta_blob: metaBlob, iv, one_time: oneTime } = body;
  const share = { dataBlob, metaBlob, iv, createdAtMs, expiresAtMs };
  const shareId = await shares.put(share, oneTime, randomToken());
  return { success: true, shareId, expiresAt: isoTime(expiresAtMs) };
}

export const handler = endpoint(routes.create, createShare, createDeps);

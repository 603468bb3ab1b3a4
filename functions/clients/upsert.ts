import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { type Input, type Output, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { idempotentRequest } from '../shared/table/idempotency.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { route } from './contracts/upsert.ts';
import { toClientResponse } from './present.ts';
import { OneClient } from './schemas.ts';
import { clientStore } from './store.ts';

/** Registers or updates a client: in one write, or with an Idempotency-Key in one transaction. */
export async function writeClient({
  headers,
  body,
  caller,
  rateLimitPassed,
}: Input<typeof route>): Promise<Output<typeof route> | Reply> {
  const { applicationId } = caller;
  const { externalId, email, name, address, vatId, metadata } = body;
  const profile = {
    applicationId,
    externalId,
    email,
    name,
    address,
    vatId,
    metadata: metadata && JSON.stringify(metadata),
  };
  const { method, path } = route;
  const request = idempotentRequest(applicationId, headers['idempotency-key'], { method, path, body });
  const mark = { nowMs: clock.nowMs(), writeId: randomToken() };
  if (request === undefined) await rateLimitPassed;
  const result =
    request === undefined
      ? await clientStore.write(profile, mark)
      : await retryOnConflict(() =>
          clientStore.writeIdempotently(profile, mark, { request, rateLimitPassed }),
        );
  const response = { client: toClientResponse(result.profile) };
  return result.isNew ? response : new Reply(200, { body: JSON.stringify(OneClient.parse(response)) });
}

export const handler = endpoint(route, writeClient, apiKeyCaller);

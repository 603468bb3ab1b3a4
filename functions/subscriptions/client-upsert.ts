import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { type Input, type Output, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { idempotentRequest } from '../shared/table/idempotency.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { OneClient } from './api/responses.ts';
import { shownClient } from './clients/client.ts';
import { clientStore } from './clients/store.ts';
import { routes } from './routes.ts';

const route = routes['client-upsert'];
const writeDeps = () => ({ clients: clientStore, nowMs, randomToken });

/** Registers a client or changes what is given of one: one write, or under a key one transaction. */
export async function writeClient(
  { headers, body, caller, rateLimitPassed }: Input<typeof route>,
  { clients, nowMs, randomToken }: ReturnType<typeof writeDeps>,
): Promise<Output<typeof route> | Reply> {
  const { applicationId } = caller;
  const { externalId, email, name, metadata } = body;
  const given = {
    applicationId,
    externalId,
    email,
    name,
    metadata: metadata && JSON.stringify(metadata),
  };
  const { method, path } = route;
  const request = idempotentRequest(applicationId, headers['idempotency-key'], { method, path, body });
  const mark = { atMs: nowMs(), writeId: randomToken() };
  if (request === undefined) await rateLimitPassed;
  const { isNew, profile } =
    request === undefined
      ? await clients.write(given, mark)
      : await retryOnConflict(() => clients.writeIdempotently(given, mark, { request, rateLimitPassed }));
  const answer = { client: shownClient(profile) };
  return isNew ? answer : new Reply(200, { body: JSON.stringify(OneClient.parse(answer)) });
}

export const handler = endpoint(route, writeClient, writeDeps, apiKeyCaller);

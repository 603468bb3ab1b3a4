import { apiKeyCaller } from '../shared/bearer.ts';
import { nowMs } from '../shared/clock.ts';
import { type Input, type Output, Reply } from '../shared/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { keyedRequest } from '../shared/idempotency.ts';
import { randomToken } from '../shared/random.ts';
import { untilWon } from '../shared/until-won.ts';
import { OneClient } from './answers.ts';
import { shownClient } from './client.ts';
import { clientStore } from './client-store.ts';
import { routes } from './routes.ts';

const route = routes['client-write'];
const writeDeps = () => ({ clients: clientStore, nowMs, randomToken });

/** Registers a client or changes what is given of one: one write, or under a key one transaction. */
export async function writeClient(
  { headers, body, caller, admitted }: Input<typeof route>,
  { clients, nowMs, randomToken }: ReturnType<typeof writeDeps>,
): Promise<Output<typeof route> | Reply> {
  const { applicationId } = caller;
  const { externalId, email, name, metadata } = body;
  const given = {
    ...{ applicationId, externalId, email, name },
    metadata: metadata && JSON.stringify(metadata),
  };
  const { method, path } = route;
  const request = keyedRequest(applicationId, headers['idempotency-key'], { method, path, body });
  const mark = { atMs: nowMs(), writeId: randomToken() };
  if (request === undefined) await admitted;
  const { isNew, profile } =
    request === undefined
      ? await clients.write(given, mark)
      : await untilWon(() => clients.writeOnce(given, mark, { request, admitted }));
  const answer = { client: shownClient(profile) };
  return isNew ? answer : new Reply(200, { body: JSON.stringify(OneClient.parse(answer)) });
}

export const handler = endpoint(route, writeClient, writeDeps, apiKeyCaller);

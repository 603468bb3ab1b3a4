import { operatorCaller } from '../shared/bearer.ts';
import { nowMs } from '../shared/clock.ts';
import type { Input, Output } from '../shared/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { keys } from '../shared/keys.ts';
import { randomToken } from '../shared/random.ts';
import { recordId } from '../shared/record-id.ts';
import { makeKey } from './keys.ts';
import { routes } from './routes.ts';
import { shownApplication } from './shown.ts';
import { applicationStore } from './store.ts';

const createDeps = () => ({ applications: applicationStore, nowMs, randomToken });

/** Makes an application with one key of each kind, in one transaction. */
export async function createApplication(
  { body: { name, redirectUris, settings = {} } }: Input<(typeof routes)['application-create']>,
  { applications, nowMs, randomToken }: ReturnType<typeof createDeps>,
): Promise<Output<(typeof routes)['application-create']>> {
  const createdAtMs = nowMs();
  const applicationId = recordId('app', createdAtMs);
  const client = makeKey('client_secret', randomToken(), createdAtMs);
  const api = makeKey('api_key', randomToken(), createdAtMs);
  const application = {
    ...keys.application(applicationId),
    ...{ applicationId, name, redirectUris, settings, revision: 1, createdAtMs },
    keys: { [client.keyId]: client.key, [api.keyId]: api.key },
  };
  await applications.create(application);
  return { application: shownApplication(application), clientSecret: client.secret, apiKey: api.secret };
}

export const handler = endpoint(routes['application-create'], createApplication, createDeps, operatorCaller);

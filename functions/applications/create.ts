import { pkceWarnings, settingsWarnings } from '../shared/accounts/application-warnings.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import * as keys from '../shared/contract/keys.ts';
import { endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import * as env from '../shared/runtime/env.ts';
import { newId } from '../shared/runtime/ids.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { createdBefore, idempotentRequest } from '../shared/table/idempotency.ts';
import { directoryListing } from '../shared/table/listing.ts';
import { checkGateway } from './available-gateway.ts';
import { newKey } from './keys.ts';
import { toApplicationResponse } from './present.ts';
import { createRoute } from './routes.ts';
import { applicationStore } from './store.ts';

/** Creates an application with one key of each kind, in one transaction. A repeated request creates none. */
export const createApplication: Handler<typeof createRoute> = async ({
  headers,
  body: { name, redirectUris, settings = {} },
  caller,
}) => {
  checkGateway(settings.paymentGateway, env.sandboxGateway());
  const createdAtMs = clock.nowMs();
  const applicationId = newId('app', createdAtMs);
  const client = newKey('client_secret', randomToken(), createdAtMs);
  const api = newKey('api_key', randomToken(), createdAtMs);
  const application = {
    ...keys.application(applicationId),
    ...directoryListing('application', { id: applicationId, atMs: createdAtMs }),
    applicationId,
    name,
    redirectUris,
    settings,
    revision: 1,
    createdAtMs,
    keys: { [client.keyId]: client.key, [api.keyId]: api.key },
  };
  const body = { name, redirectUris, settings };
  const request = idempotentRequest(caller.keyId, headers, createRoute, body);
  const created = await applicationStore.create(application, caller, request);
  if (created.applicationId !== applicationId)
    throw createdBefore('application', created.applicationId, 'create another key of each kind');
  return {
    application: toApplicationResponse(application),
    clientSecret: client.secret,
    apiKey: api.secret,
    warnings: [...pkceWarnings(settings), ...settingsWarnings(settings)],
  };
};

export const handler = endpoint(createRoute, createApplication, operatorCaller);

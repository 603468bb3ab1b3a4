import { getApplication } from '../shared/accounts/applications.ts';
import { readApplicationUse } from '../shared/auth/application-use.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { endpoint, found, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { toApplicationResponse } from './present.ts';
import { readRoute } from './routes.ts';

/** Reads an application with the hints of its keys, and when each was used last. */
export const readApplication: Handler<typeof readRoute> = async ({ params: { id } }) => {
  const [application, use] = await Promise.all([getApplication(id), readApplicationUse(id, clock.nowMs())]);
  return { application: toApplicationResponse(found(application), use.keys) };
};

export const handler = endpoint(readRoute, readApplication, operatorCaller);

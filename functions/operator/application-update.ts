import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { env } from '../shared/runtime/env.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { checkGateway } from './applications/available-gateway.ts';
import { toApplicationResponse } from './applications/present.ts';
import { applicationStore } from './applications/store.ts';
import { routes } from './routes.ts';

const updateDeps = () => ({ applications: applicationStore, clock, randomToken });

/** Replaces the given fields of an application, in one write. */
export async function updateApplication(
  { params: { id }, body: { name, redirectUris, settings } }: Input<(typeof routes)['application-update']>,
  { applications, clock, randomToken }: ReturnType<typeof updateDeps>,
): Promise<Output<(typeof routes)['application-update']>> {
  checkGateway(settings, env.sandboxGateway());
  const change = defined({ name, redirectUris, settings });
  const write = { nowMs: clock.nowMs(), writeId: randomToken() };
  const application = await applications.update(id, change, write);
  if (application === undefined) throw new ApiError('not_found');
  return { application: toApplicationResponse(application) };
}

export const handler = endpoint(routes['application-update'], updateApplication, updateDeps, operatorCaller);

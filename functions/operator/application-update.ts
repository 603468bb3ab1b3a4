import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { nowMs } from '../shared/runtime/clock.ts';
import { routes } from './routes.ts';
import { shownApplication } from './shown.ts';
import { applicationStore } from './store.ts';

const updateDeps = () => ({ applications: applicationStore, nowMs });

/** Replaces what is given of an application's name, redirect URIs and settings, in one write. */
export async function updateApplication(
  { params: { id }, body: { name, redirectUris, settings } }: Input<(typeof routes)['application-update']>,
  { applications, nowMs }: ReturnType<typeof updateDeps>,
): Promise<Output<(typeof routes)['application-update']>> {
  const change = {
    ...defined({ name, redirectUris, settings }),
  };
  const application = await applications.change(id, change, nowMs());
  if (application === undefined) throw new ApiError('not_found');
  return { application: shownApplication(application) };
}

export const handler = endpoint(routes['application-update'], updateApplication, updateDeps, operatorCaller);

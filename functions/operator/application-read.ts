import { operatorCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { routes } from './routes.ts';
import { shownApplication } from './shown.ts';
import { applicationStore } from './store.ts';

const readDeps = () => ({ applications: applicationStore });

/** Shows an application and the hints of its keys. */
export async function readApplication(
  { params: { id } }: Input<(typeof routes)['application-read']>,
  { applications }: ReturnType<typeof readDeps>,
): Promise<Output<(typeof routes)['application-read']>> {
  const application = await applications.get(id);
  if (application === undefined) throw new ApiError('not_found');
  return { application: shownApplication(application) };
}

export const handler = endpoint(routes['application-read'], readApplication, readDeps, operatorCaller);

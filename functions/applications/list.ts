import { readApplication } from '../shared/accounts/applications.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { listPage } from '../shared/lists/list-page.ts';
import { isoTime } from '../shared/runtime/clock.ts';
import { route } from './contracts/list.ts';

/** Lists the applications, newest first. */
export async function listApplications({ query }: Input<typeof route>): Promise<Output<typeof route>> {
  const { items, nextCursor } = await listPage(
    {
      applicationId: undefined,
      kind: 'application',
      statuses: [],
      read: readApplication,
      toResponse: ({ applicationId, name, createdAtMs }) => ({
        _id: applicationId,
        name,
        createdAt: isoTime(createdAtMs),
      }),
    },
    query,
  );
  return { applications: items, ...defined({ nextCursor }) };
}

export const handler = endpoint(route, listApplications, operatorCaller);

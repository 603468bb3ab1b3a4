import { readApplication } from '../shared/accounts/applications.ts';
import { indexedPage } from '../shared/lists/indexed-list.ts';
import type { ListPage } from '../shared/lists/list-page.ts';
import { ofDirectory } from '../shared/lists/partitions.ts';
import { isoTime } from '../shared/runtime/clock.ts';

type PageQuery = Parameters<typeof indexedPage>[1];

/** A page of the applications, newest first. @throws ApiError `invalid_request` when the cursor does not belong to this list. */
export function applicationPage(
  query: PageQuery,
): Promise<ListPage<{ _id: string; name: string; createdAt: string }>> {
  return indexedPage(
    {
      source: ofDirectory('application'),
      read: readApplication,
      toResponse: ({ applicationId, name, createdAtMs }) => ({
        _id: applicationId,
        name,
        createdAt: isoTime(createdAtMs),
      }),
    },
    query,
  );
}

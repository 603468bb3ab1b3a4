import type { Input, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/open-page.ts';

import { sharePage, sharePageDeps, withSharePageErrors } from './share-page.ts';

/** Returns the page, on which a share is opened. Neither the id nor the table is looked at. */
export function openPage(
  { baseUrl }: Input<typeof route>,
  deps: ReturnType<typeof sharePageDeps>,
): Promise<Reply> {
  return sharePage(baseUrl, deps);
}

export const handler = withSharePageErrors(endpoint(route, openPage, sharePageDeps));

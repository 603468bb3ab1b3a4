import type { Input, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/create-page.ts';

import { sharePage, sharePageDeps, withSharePageErrors } from './share-page.ts';

/** Returns the page, on which a share is created. */
export function createPage(
  { baseUrl }: Input<typeof route>,
  deps: ReturnType<typeof sharePageDeps>,
): Promise<Reply> {
  return sharePage(baseUrl, deps);
}

export const handler = withSharePageErrors(endpoint(route, createPage, sharePageDeps));

import type { Input, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { routes } from './routes.ts';
import { sharePage, sharePageDeps, withSharePageErrors } from './share-page.ts';

/** Returns the page, on which a share is opened. Neither the id nor the table is looked at. */
export function openPage(
  { baseUrl }: Input<(typeof routes)['open-page']>,
  deps: ReturnType<typeof sharePageDeps>,
): Promise<Reply> {
  return sharePage(baseUrl, deps);
}

export const handler = withSharePageErrors(endpoint(routes['open-page'], openPage, sharePageDeps));

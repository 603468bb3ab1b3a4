import type { Input, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { routes } from './routes.ts';
import { sharePage, sharePageDeps, withSharePageErrors } from './share-page.ts';

/** Returns the page, on which a share is created. */
export function createPage(
  { baseUrl }: Input<(typeof routes)['create-page']>,
  deps: ReturnType<typeof sharePageDeps>,
): Promise<Reply> {
  return sharePage(baseUrl, deps);
}

export const handler = withSharePageErrors(endpoint(routes['create-page'], createPage, sharePageDeps));

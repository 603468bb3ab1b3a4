import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Reply } from '../shared/contract/route.ts';
import { deployedPart } from '../shared/lambda/deployed-file.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/group.ts';
import { pageReply } from './page-reply.ts';

/** Returns a page of the reference below the first one. @throws ApiError `not_found` for a name that no page has. */
export async function readGroup({ params, headers }: Input<typeof route>): Promise<Reply> {
  const page = await deployedPart('docs.json', params.group);
  if (page === undefined) throw new ApiError('not_found');
  return pageReply(page, headers['if-none-match']);
}

export const handler = endpoint(route, readGroup);

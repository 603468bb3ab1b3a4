import * as z from 'zod/mini';
import { defineRoute } from '../../shared/contract/route.ts';
import { pageRoute } from './page-route.ts';

/** Any text: the page is the same for every id, and so is the response to an id that cannot exist. */
const PageParams = z.object({
  shareId: z.string().check(z.describe('The `shareId` of a share.')),
});

export const route = defineRoute({
  method: 'GET',
  path: '/s/{shareId}',
  operationId: 'openSharePage',
  summary: 'Returns the same page, at the address of a share.',
  description: [
    'The link of a share is this address and, in the fragment, the key. Browsers do not send the fragment. The id is',
    'not looked up: the page of an unknown share is the same, to the byte.',
  ].join('\n'),
  params: PageParams,
  ...pageRoute,
});

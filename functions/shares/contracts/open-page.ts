import { defineRoute } from '../../shared/contract/route.ts';
import { PageParams } from '../page-requests.ts';
import { pageRoute } from './page-route.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/s/{shareId}',
  summary: 'Returns the same page, at the address of a share.',
  description: [
    'The link of a share is this address and, in the fragment, the key. Browsers do not send the fragment. The id is',
    'not looked up: the page of an unknown share is the same, to the byte.',
  ].join('\n'),
  params: PageParams,
  ...pageRoute,
});

import { defineRoute } from '../../shared/contract/route.ts';
import { pageRoute } from './page-route.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/s',
  operationId: 'showSharePage',
  summary: 'Returns the page on which people create and open shares.',
  description: [
    'The page is the same for every share and every link, and requests nothing about a share before a click. Link',
    'previews and scanners of mail therefore open nothing. Encryption happens in the browser.',
  ].join('\n'),
  ...pageRoute,
});

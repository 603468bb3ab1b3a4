import * as z from 'zod/mini';
import { yearSeconds } from '../../shared/contract/headers.ts';
import { notModified, storedHeaders } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { ConditionalHeaders } from '../../shared/fields/conditional-headers.ts';

const AssetParams = z.object({
  file: z
    .string()
    .check(z.describe('The name of the script, as the page has it, or of the package for clients.')),
});

/** Each visitor needs one script, and a cache keeps it: 50 a second are 180,000 visitors an hour. */
const scriptThrottle = { ratePerSecond: 50, burst: 100 };

export const route = defineRoute({
  method: 'GET',
  path: '/assets/{file}',
  operationId: 'getAsset',
  summary: 'Returns the script of the share page, or the package for clients.',
  description: [
    'The name has the hash of the content, so caches may store it for a year.',
    '',
    'While two versions are deployed, the function of one can be asked for the script of the other. It responds with its',
    'own script, because a page without a script would be empty.',
    '',
    '`vouchsafe-client-<version>.tgz` is the package for clients, with its command-line program: `npx <this address>` runs it.',
    '`Unencoded-Digest` has its hash. It is a tar archive without compression of its own.',
  ].join('\n'),
  auth: 'none',
  throttle: scriptThrottle,
  params: AssetParams,
  headers: ConditionalHeaders,
  response: z.string(),
  produces: 'text/javascript; charset=utf-8',
  cacheSeconds: yearSeconds,
  responseHeaders: storedHeaders,
  otherResponses: [
    notModified(),
    {
      status: 200,
      description: 'The name of another version gets this script too, with `Cache-Control: no-store`.',
      headers: [...storedHeaders, 'cache-control'],
    },
    {
      status: 200,
      description: 'The package for clients, with `Cache-Control: no-store`.',
      mediaType: 'application/x-tar',
      headers: [...storedHeaders, 'cache-control', 'unencoded-digest'],
    },
  ],
  errors: { ...unlimitedErrors, also: ['not_found'] },
  grants: { files: ['share-page.js', 'vouchsafe-client.json', 'vouchsafe-client.tar'] },
});

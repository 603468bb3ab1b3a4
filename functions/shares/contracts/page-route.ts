import * as z from 'zod/mini';
import { pageHeaders } from '../../shared/contract/other-responses.ts';

/** The page has one content, at the address of every share and at its own. */
export const pageRoute = {
  auth: 'none',
  response: z.string(),
  produces: 'text/html; charset=utf-8',
  responseHeaders: pageHeaders,
  errorPages: true,
  errors: { invalid: 'invalid_request', failed: 'server_error' },
  grants: { files: ['share-page.js', 'vouchsafe-client.json'] },
} as const;

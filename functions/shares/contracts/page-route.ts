import * as z from 'zod/mini';
import { htmlType } from '../../shared/contract/headers.ts';
import { pageHeaders } from '../../shared/contract/other-responses.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';

/** The page has one content, at the address of every share and at its own. */
export const pageRoute = {
  auth: 'none',
  response: z.string(),
  produces: htmlType,
  responseHeaders: pageHeaders,
  errorPages: true,
  errors: unlimitedErrors,
  grants: { files: ['share-page.js', 'vouchsafe-client.json'] },
} as const;

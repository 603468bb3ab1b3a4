import * as z from 'zod/mini';
import { htmlType } from './headers.ts';
import { redirectHeaders } from './other-responses.ts';

/** Common to the endpoints that receive the forms of this API's own pages. They respond with a redirect or a page. */
export const formRoute = {
  method: 'POST',
  auth: 'none',
  bodyType: 'form',
  response: z.string().check(z.maxLength(0)),
  status: 303,
  responseHeaders: redirectHeaders,
  produces: htmlType,
  errorPages: true,
  ownPagesOnly: true,
} as const;

import * as z from 'zod/mini';
import { ApiError } from './errors.ts';
import { htmlType, redirectHeaders } from './headers.ts';

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

/** More than a page of the console has: a form of many thousands takes seconds before anybody is signed in. */
const mostFields = 1_000;

/**
 * A form with files, each of which is a `File`, or with fields of any name (RFC 7578). A route names it as its `bodyType`, so that
 * the bundles of others are without it. Each field is given once.
 */
export const multipart = {
  type: 'multipart/form-data',
  /** @throws ApiError `invalid_request` when the bytes are no such form, or a field is repeated. */
  async parse(bytes: Buffer, contentType: string): Promise<object> {
    const body = new Response(Buffer.from(bytes), { headers: { 'content-type': contentType } });
    const fields = await body.formData().catch(() => {
      throw invalid({ body: 'is not a valid form' });
    });
    const all = [...fields.keys()];
    if (all.length > mostFields) throw invalid({ body: `must have at most ${mostFields} fields` });
    const names = new Set<string>();
    const repeated = all.filter((name) => names.size === names.add(name).size);
    if (repeated.length > 0)
      throw invalid(Object.fromEntries(repeated.map((name) => [name, 'must be given once'])));
    return Object.fromEntries(fields.entries());
  },
} as const;

const invalid = (details: Record<string, string>) => new ApiError('invalid_request', { details });

/** The response to a request for a list: JSON, or CSV where `Accept` prefers it. */
import type { output, ZodMiniType } from 'zod/mini';
import { defined } from '../contract/defined.ts';
import { jsonType } from '../contract/headers.ts';
import { Reply } from '../contract/route.ts';
import { preferredType } from '../lambda/content-negotiation.ts';
import { type Columns, csvType, toCsv } from './csv.ts';

/** Where the request came from, for the link to the next page. */
export interface ListRequest {
  accept: string | undefined;
  /** The URL of the API, without a slash at the end. */
  baseUrl: string;
  path: string;
  query: Readonly<Record<string, string | number | undefined>>;
}

/**
 * @param schema of the JSON body.
 * @param body the JSON body, with `nextCursor` when there are more records.
 * @param rows the records of the body, for CSV.
 */
export function listReply<S extends ZodMiniType, R>(
  request: ListRequest,
  schema: S,
  body: output<S> & { nextCursor?: string | undefined },
  { columns, rows }: { columns: Columns<R>; rows: readonly R[] },
): Reply {
  if (preferredType(request.accept, ['application/json', 'text/csv']) === 'application/json') {
    const headers = { 'content-type': jsonType, vary: 'accept' };
    return new Reply(200, { headers, body: JSON.stringify(schema.parse(body)) });
  }
  const { nextCursor } = body;
  return new Reply(200, {
    headers: {
      'content-type': csvType,
      vary: 'accept',
      ...defined({ link: nextCursor && nextLink(request, nextCursor) }),
    },
    body: toCsv(columns, rows),
  });
}

/** RFC 8288 section 3. */
function nextLink({ baseUrl, path, query }: ListRequest, cursor: string): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, cursor }))
    if (value !== undefined) parameters.set(name, String(value));
  return `<${baseUrl}${path}?${parameters}>; rel="next"`;
}

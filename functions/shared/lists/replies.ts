import type { ZodMiniType } from 'zod/mini';
import { defined } from '../contract/defined.ts';
import { Reply } from '../contract/route.ts';
import { jsonReply, preferredType } from '../lambda/content-negotiation.ts';
import { type Columns, csvType, toCsv } from './csv.ts';
import type { ListPage } from './list-page.ts';

interface ListRequest {
  headers: { accept?: string | undefined };
  /** The URL of the API, without a slash at the end. */
  baseUrl: string;
  query: Readonly<Record<string, string | number | undefined>>;
}

/** @param name of the records in the JSON body. */
export function listReply<N extends string, R>(
  { headers, baseUrl, query }: ListRequest,
  { path, response }: { path: string; response: ZodMiniType<Record<N, readonly R[]>> },
  name: N,
  { items, nextCursor }: ListPage<R>,
  columns: Columns<R>,
): Reply {
  if (preferredType(headers.accept, ['application/json', 'text/csv']) === 'application/json')
    return jsonReply(response, { [name]: items, nextCursor });
  const page = { type: csvType, body: toCsv(columns, items) };
  return textReply(`${baseUrl}${path}`, query, page, nextCursor);
}

/** A page in a format other than JSON: `Link` leads to the next one. */
export function textReply(
  address: string,
  query: ListRequest['query'],
  { type, body, fileName }: { type: string; body: string | Uint8Array; fileName?: string | undefined },
  nextCursor: string | undefined,
): Reply {
  const link = nextCursor && nextLink(address, { ...query, cursor: nextCursor });
  const disposition = fileName && `attachment; filename="${fileName}"`;
  const more = defined({ link, 'content-disposition': disposition });
  return new Reply(200, { headers: { 'content-type': type, vary: 'accept', ...more }, body });
}

/** RFC 8288 section 3. */
function nextLink(address: string, query: ListRequest['query']): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.set(name, String(value));
  return `<${address}?${parameters}>; rel="next"`;
}

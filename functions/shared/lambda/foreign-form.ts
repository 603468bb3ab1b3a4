import type { APIGatewayProxyEvent } from 'aws-lambda';
import { header } from './request-context.ts';

/** A form of the API's own page, or a reload that a person asked the browser for. */
const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none']);

/**
 * Whether a browser says that the page of another site submits the request. No page can set `Sec-Fetch-Site` or `Origin`. A
 * sibling host counts as another site: it can belong to somebody else.
 *
 * Browsers older than 2023 do not send `Sec-Fetch-Site`, and no browser sends it over http to another machine: there `Origin`
 * decides. The forms of this API have the origin `null`, under the `no-referrer` of their pages, and so can those of any other
 * site. Programs send neither header. This is therefore the second defence: the first is a token in the form or in its address.
 * https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 *
 * @param baseUrl of the API, as the caller reached it.
 */
export function isForeignForm(event: Partial<APIGatewayProxyEvent>, baseUrl: string): boolean {
  const site = header(event, 'sec-fetch-site');
  if (site !== undefined) return !ownSites.has(site);
  const origin = header(event, 'origin') ?? 'null';
  return origin !== 'null' && origin !== new URL(baseUrl).origin;
}

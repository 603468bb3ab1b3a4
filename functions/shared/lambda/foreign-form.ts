import type { APIGatewayProxyEvent } from 'aws-lambda';
import { header } from './request-context.ts';

/** A form of the API's own page, or a reload that a person asked the browser for. */
const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none']);

/**
 * Whether a browser says that the page of another site submits the request. `Sec-Fetch-Site` cannot be set by a page. A
 * sibling host counts as another site: it can belong to somebody else.
 *
 * Browsers older than 2023 and programs do not send the header, so it is the second defence: the first is a token in the form
 * or in its address. `Origin` is no substitute, because it is `null` under the pages' `no-referrer`.
 * https://www.w3.org/TR/fetch-metadata/#sec-fetch-site-header
 */
export function isForeignForm(event: Partial<APIGatewayProxyEvent>): boolean {
  const site = header(event, 'sec-fetch-site');
  return site !== undefined && !ownSites.has(site);
}

/** Addresses of the console. */
import { escaped, type Markup } from '../../shared/html/markup.ts';

/** The path of a page of the console. It can have a query. */
export type ConsolePath = `/console${string}`;

/** A path in which the values stand for their `{names}`. They are percent-encoded. */
export function filled(path: ConsolePath, values: object): ConsolePath {
  const found = new Map(Object.entries(values).map(([name, value]) => [name, String(value)]));
  const fill = (_: string, name: string) => encodeURIComponent((found.get(name) ?? '').toWellFormed());
  return `/console${path.slice('/console'.length).replaceAll(/\{(\w+)\}/g, fill)}`;
}

/** A path with the fields of a query that are defined. */
export function withQuery(
  path: ConsolePath,
  query: Readonly<Record<string, string | undefined>>,
): ConsolePath {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.append(name, value);
  if (search.size === 0) return path;
  return `${path}${path.includes('?') ? '&' : '?'}${search}`;
}

/**
 * Addresses as seen from a page. They are relative to it, so that they are correct under any path prefix of the API.
 *
 * @param own the path of the page: of its route, or a real one.
 */
export function addressesFrom(own: string): Addresses {
  const up = '../'.repeat(own.split('/').length - 2);
  const uri = (path: ConsolePath) => up + path.slice(1);
  return { uri, href: (path) => escaped(uri(path)) };
}

export interface Addresses {
  /** For `Location`. */
  uri(path: ConsolePath): string;
  /** For an attribute of the page. */
  href(path: ConsolePath): Markup;
}

/** Pages that no sign-in leads back to. */
const unfit: ReadonlySet<string> = new Set(['/console/sign-in', '/console/sign-out']);

/**
 * The page of the console that an address from outside names. An address of anything else, of another site for example,
 * counts as the home page. The URL parser of browsers decides what an address means.
 */
export function pageNamed(address: string | undefined): ConsolePath {
  const base = 'https://console.invalid';
  const url = address === undefined ? undefined : URL.parse(address, base);
  if (url?.origin !== base || unfit.has(url.pathname)) return '/console';
  // A page makes its own notice.
  for (const name of ['notice', 'noticeForm']) url.searchParams.delete(name);
  const [, rest] = /^\/console((?:\/.*)?)$/.exec(url.pathname) ?? [];
  return rest === undefined ? '/console' : `/console${rest}${url.search}`;
}

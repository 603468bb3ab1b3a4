import { ShareError } from './share-error.ts';

/**
 * Makes `<page>/<shareId>#<fragment>`. Browsers do not send the fragment to a server.
 *
 * @throws {ShareError} `invalid_link`
 */
export function pageLink(pageUrl: string, shareId: string, fragment: string): string {
  const page = parsed(pageUrl);
  if (page === undefined || /[?#]/.test(page.href)) {
    throw new ShareError('invalid_link', 'The page must be an http or https URL without query and fragment.');
  }
  const name = segment(shareId);
  if (name === undefined) throw new ShareError('invalid_link', 'The share id is no name for a page.');
  return `${page.href.replace(/\/+$/, '')}/${name}#${fragment}`;
}

interface PageLink {
  shareId: string;
  fragment: string;
  /** The link has `%23` in place of its "#", so a request for it contains the key. */
  keyWasSent: boolean;
}

/** The fragment of a share or a receipt. It ends before the first character that no key has: a text can go on after a link. */
const keyText = String.raw`((?:rvsr_[\w-]{22}|[kp]?[\w-]{43})(?![\w-]))`;
/** A program that puts "#" back, or escapes it, can do so where one is. */
const fragmentAtStart = new RegExp(`^#+(?:%(?:25)*23)*${keyText}`);

/** Gateways of mail, such as Safe Links, escape the "#" of a link, some of them twice. */
const fragmentInRequest = new RegExp(`%(?:25)*23${keyText}`);

/** Separators that a program adds after the id of a share. */
const afterId = /(?<=\/[\w-]{22,})(?:[/.]|%20|%2F)+$/i;

/**
 * Parses the share id and the fragment of a link. A query is ignored, because services that forward links add one, unless it
 * contains the link.
 *
 * @throws {ShareError} `invalid_link`
 */
export function parsePageLink(url: string): PageLink {
  const link = parsed(url.replace(/^[\s<]+/, ''));
  if (link === undefined) throw new ShareError('invalid_link', 'The link is no http or https URL.');
  const forwarded = forwardedLink(link);
  if (forwarded !== undefined) return Object.assign(parsePageLink(forwarded), { keyWasSent: true });
  const { pathname, search, hash } = link;
  const sent = fragmentInRequest.exec(pathname + search);
  const shareId = lastSegment(pathname.slice(0, sent?.index).replace(afterId, ''));
  if (!shareId) throw new ShareError('invalid_link', 'The link names no share.');
  const [, whole = hash.slice(1)] = sent ?? fragmentAtStart.exec(hash) ?? [];
  return { shareId, fragment: whole, keyWasSent: sent !== null };
}

/** The link in the query of another one, to which Safe Links and the like lead. */
const forwardedLink = ({ searchParams }: URL): string | undefined =>
  [...searchParams.values()].find((value) => fragmentAtStart.test(parsed(value)?.hash ?? ''));

/** The parsed URL; undefined when invalid. The error of URL itself is never passed on: it contains the link, and so the key. */
function parsed(url: string): URL | undefined {
  try {
    const { protocol } = new URL(url);
    return protocol === 'https:' || protocol === 'http:' ? new URL(url) : undefined;
  } catch {
    return undefined;
  }
}

function segment(name: string): string | undefined {
  // As path segments, the dots would refer to another page.
  if (typeof name !== 'string' || name === '' || name === '.' || name === '..') return undefined;
  try {
    return encodeURIComponent(name);
  } catch {
    return undefined;
  }
}

function lastSegment(path: string): string | undefined {
  try {
    return decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
  } catch {
    return undefined;
  }
}

import { ShareError } from './share-error.ts';
import { decodeKey } from './share-key.ts';

export interface ShareLink {
  shareId: string;
  /** 32 bytes in base64url, 43 characters. */
  key: string;
}

/**
 * The link to hand out: `<page>/<shareId>#<key>`. Browsers send no fragment to a server.
 *
 * @param pageUrl the page that opens shares: http or https, without query and fragment; a slash at its end is the
 *   same page.
 * @throws {ShareError} `invalid_link` for a page or an id that makes no link, `invalid_key`
 */
export function shareLink(pageUrl: string, shareId: string, key: string): string {
  const page = parsed(pageUrl);
  if (page === undefined || /[?#]/.test(page.href)) {
    throw new ShareError('invalid_link', 'The page must be an http or https URL without query and fragment.');
  }
  const name = segment(shareId);
  if (name === undefined) throw new ShareError('invalid_link', 'The share id is no name for a page.');
  decodeKey(key);
  return `${page.href.replace(/\/+$/, '')}/${name}#${key}`;
}

/**
 * Share id and key of a link: of `location.href` on the page that opens shares.
 *
 * A query is ignored: those who forward links add one.
 *
 * @throws {ShareError} `invalid_link`
 */
export function parseShareLink(url: string): ShareLink {
  const link = parsed(url);
  if (link === undefined) throw new ShareError('invalid_link', 'The link is no http or https URL.');
  const shareId = lastSegment(link.pathname);
  if (!shareId) throw new ShareError('invalid_link', 'The link names no share.');
  const key = link.hash.slice(1);
  try {
    decodeKey(key);
  } catch {
    throw new ShareError('invalid_link', 'The link has no whole key after its "#".');
  }
  return { shareId, key };
}

/** Never the error of URL itself: it holds the link, and the link holds the key. */
function parsed(url: string): URL | undefined {
  try {
    const { protocol } = new URL(url);
    return protocol === 'https:' || protocol === 'http:' ? new URL(url) : undefined;
  } catch {
    return undefined;
  }
}

function segment(name: string): string | undefined {
  // As segments of a path the dots would mean another page.
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

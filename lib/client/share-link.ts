import { ShareError } from './share-error.ts';
import { decodeKey } from './share-key.ts';

/** The parts of the link of a share. */
export interface ShareLink {
  shareId: string;
  /** 32 bytes in base64url, 43 characters. */
  key: string;
}

/**
 * Makes the link of a share: `<page>/<shareId>#<key>`. Browsers do not send the fragment to a server.
 *
 * @param pageUrl the page that opens shares: an http or https URL without query and fragment. A trailing slash makes no
 *   difference.
 * @throws {ShareError} `invalid_link` for an invalid page or id, `invalid_key`
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
 * Parses the share id and the key of a link, such as `location.href` on the page that opens shares.
 *
 * A query is ignored, because services that forward links add one.
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

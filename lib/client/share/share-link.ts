import { pageLink, parsePageLink } from './page-link.ts';
import { ShareError } from './share-error.ts';
import { decodeKey } from './share-key.ts';

export interface ShareLink {
  shareId: string;
  /** 32 bytes in base64url, 43 characters, after `k` or `p` where the share has an access proof. */
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
  const link = pageLink(pageUrl, shareId, key);
  decodeKey(key);
  return link;
}

/**
 * Parses the share id and the key of a link, such as `location.href` on the page that opens shares.
 *
 * A query is ignored, because services that forward links add one. So is what follows the key, such as a full stop. A "#" that
 * a gateway of mail escaped is read as one.
 *
 * @throws {ShareError} `invalid_link`
 */
export function parseShareLink(url: string): ShareLink {
  const { shareId, fragment } = parsePageLink(url);
  try {
    decodeKey(fragment);
  } catch {
    throw new ShareError('invalid_link', 'The link has no whole key after its "#".');
  }
  return { shareId, key: fragment };
}

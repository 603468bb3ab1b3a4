import { pageLink, parsePageLink } from './page-link.ts';
import { ShareError } from './share-error.ts';
import { decodeKey } from './share-key.ts';
import { parseShareLink } from './share-link.ts';

export interface ReceiptLink {
  shareId: string;
  /** `vsr_` and 22 characters of base64url. Anyone with it can read the receipt and burn the share, but cannot open it. */
  receiptToken: string;
}

const fragmentPattern = /^r(vsr_[A-Za-z0-9_-]{22})$/;

/**
 * Makes the link of a receipt: `<page>/<shareId>#r<receiptToken>`. Browsers do not send the fragment to a server.
 *
 * @throws {ShareError} `invalid_link`
 */
export function receiptLink(pageUrl: string, shareId: string, receiptToken: string): string {
  const fragment = `r${receiptToken}`;
  if (!fragmentPattern.test(fragment)) throw new ShareError('invalid_link', 'This is no receipt token.');
  return pageLink(pageUrl, shareId, fragment);
}

/** Parses the share id and the receipt token of a link. @throws {ShareError} `invalid_link` */
export function parseReceiptLink(url: string): ReceiptLink {
  const { shareId, fragment } = parsePageLink(url);
  const receiptToken = fragmentPattern.exec(fragment)?.[1];
  if (receiptToken === undefined) {
    throw new ShareError('invalid_link', 'The link has no whole receipt token after its "#".');
  }
  return { shareId, receiptToken };
}

/** The purpose of a link. */
export type ShareLinkDescription =
  | { kind: 'share'; shareId: string; needsPassphrase: boolean; keyWasSent: boolean }
  | { kind: 'receipt'; shareId: string; keyWasSent: boolean };

/**
 * Says what a link opens and needs, without any request. With `keyWasSent`, a program escaped the "#" of the link: servers
 * on its way have seen the key.
 *
 * @throws {ShareError} `invalid_link`
 */
export function describeShareLink(link: string): ShareLinkDescription {
  const { shareId, fragment, keyWasSent } = parsePageLink(link);
  if (fragmentPattern.test(fragment)) return { kind: 'receipt', shareId, keyWasSent };
  const { form } = decodeKey(parseShareLink(link).key);
  return { kind: 'share', shareId, needsPassphrase: form === 'passphrase', keyWasSent };
}

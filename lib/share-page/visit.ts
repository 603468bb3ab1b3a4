import { describeShareLink } from '../client/share.ts';

/** The request that the address of the page makes. */
export type Visit =
  | { name: 'create' }
  | { name: 'open'; link: string; shareId: string; needsPassphrase: boolean; keyWasSent: boolean }
  | { name: 'receipt'; link: string; keyWasSent: boolean }
  /** The link has lost a part, or was changed. */
  | { name: 'incomplete' }
  /** The page was reloaded, or reached by Back: the key was removed from the address when it was first read. */
  | { name: 'key-removed' };

/** Marks the entry of the history whose key was read. It survives a reload, and tells nothing about the key. */
const keyRead = { keyRead: true };

/**
 * Reads the address, and removes the key from it at once: from the address bar and from this entry of the tab's history. The
 * page keeps it in its memory alone. A store such as `sessionStorage` would survive a reload, but browsers write it to disk.
 *
 * Chromium writes the address to its list of visited pages when the page arrives, before any script runs, and no page can
 * prevent that. Who reads that list later has the link. It opens nothing any more once the share is used up, burned or expired.
 *
 * @param pageUrl the page without an id.
 */
export function takeVisit(pageUrl: string): Visit {
  const link = location.href;
  const isCreatePage = location.pathname.replace(/\/$/, '') === new URL(pageUrl).pathname;
  if (isCreatePage) return { name: 'create' };
  const requested = location.pathname + location.search;
  // A gateway of mail escapes the "#", and the key becomes part of the path. It leaves the address even when it is not whole.
  const withoutKey = requested.replace(/%(?:25)*23.*/, '');
  if (location.hash.length <= 1 && withoutKey === requested)
    return { name: history.state?.keyRead ? 'key-removed' : 'incomplete' };
  history.replaceState(keyRead, '', withoutKey);
  try {
    const described = describeShareLink(link);
    const { keyWasSent } = described;
    if (described.kind === 'receipt') return { name: 'receipt', link, keyWasSent };
    const { shareId, needsPassphrase } = described;
    return { name: 'open', link, shareId, needsPassphrase, keyWasSent };
  } catch {
    return { name: 'incomplete' };
  }
}

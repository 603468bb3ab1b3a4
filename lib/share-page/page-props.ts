import type { ShareClient } from '../client/share.ts';

/** What each page needs. */
export interface PageProps {
  client: ShareClient;
  /** The address of the page without an id. */
  pageUrl: string;
}

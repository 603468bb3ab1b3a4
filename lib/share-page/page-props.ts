import type { ShareClient } from '../client/share.ts';

/** The properties of each page. */
export interface PageProps {
  client: ShareClient;
  /** The address of the page without an id. */
  pageUrl: string;
}

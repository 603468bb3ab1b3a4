export const defaultLimit = 100;

/** The page of a list that a caller requests: the first one, of up to 100 records, by default. */
export interface PageRequest {
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface ListPage<R> {
  items: R[];
  nextCursor?: string;
}

import { ApiError } from '../../shared/contract/errors.ts';
import { decodeCursor, encodeCursor } from '../../shared/lambda/cursor.ts';

/** Lambda answers with up to 6 MB; the JSON of a list alone stays well below. */
const maxBytes = 4_000_000;
const usualLimit = 100;

/** A list that is read page by page; the position of a record in it is its id. */
export interface Listing<T, S> {
  /** What it is a list of: the kind, the application, the filters. */
  scope: readonly string[];
  /** From after an id on, up to so many; `more` says whether there may be others. */
  read(from: { after: string | undefined; count: number }): Promise<{ items: T[]; more: boolean }>;
  idOf(record: T): string;
  isId(text: string): boolean;
  shown(record: T): S;
}

/** What a caller asks for: up to 100 from the beginning, unless he says more. */
export interface PageRequest {
  limit?: number | undefined;
  cursor?: string | undefined;
}

/**
 * A page of a list: as many as were asked for, or fill an answer, and a cursor when there is more.
 * @throws ApiError `invalid_request` when the cursor is not one of this list.
 */
export async function pageOf<T, S>(
  listing: Listing<T, S>,
  { limit = usualLimit, cursor }: PageRequest,
): Promise<{ shown: S[]; nextCursor?: string }> {
  const { scope, read, idOf, shown: showing } = listing;
  const shown: S[] = [];
  let after = cursor === undefined ? undefined : idAt(listing, cursor);
  let bytes = 0;
  for (;;) {
    // One more than asked for says whether there is more.
    const { items, more } = await read({ after, count: limit - shown.length + 1 });
    for (const record of items) {
      const one = showing(record);
      bytes += Buffer.byteLength(JSON.stringify(one)) + 1;
      if (after !== undefined && shown.length > 0 && (shown.length === limit || bytes > maxBytes))
        return { shown, nextCursor: encodeCursor(scope, { after }) };
      shown.push(one);
      after = idOf(record);
    }
    if (!more) return { shown };
  }
}

function idAt<T, S>({ scope, isId }: Listing<T, S>, cursor: string): string {
  const after = decodeCursor(scope, cursor)?.after;
  if (after === undefined || !isId(after))
    throw new ApiError('invalid_request', { details: { cursor: 'is not one that this list gave' } });
  return after;
}

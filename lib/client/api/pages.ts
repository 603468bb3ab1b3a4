import { fieldsOf } from '../fields.ts';
import { VouchsafeError } from './error.ts';
import type { Pages } from './types.ts';

/** The pages of a list, from one that was requested. A page of text has one entry. */
export function pagesFrom(
  first: Promise<unknown>,
  list: string,
  pageAfter: (cursor: string) => Promise<unknown>,
): Pages<unknown, unknown> {
  return Object.assign(first, { [Symbol.asyncIterator]: () => entries(first, list, pageAfter) });
}

/** @throws {VouchsafeError} `repeated_page`, in place of the same entries for ever; `unexpected_answer` for a page that says less than it has */
async function* entries(
  first: Promise<unknown>,
  list: string,
  pageAfter: (cursor: string) => Promise<unknown>,
): AsyncGenerator<unknown> {
  const seen = new Set<string>();
  let page = fieldsOf(await first);
  for (;;) {
    const content = page[list];
    if (!Array.isArray(content) && typeof content !== 'string')
      throw new VouchsafeError('unexpected_answer', 'The page has no list.');
    yield* [content].flat();
    const { nextCursor, hasMore } = page;
    if (typeof nextCursor !== 'string' && hasMore === true)
      throw new VouchsafeError('unexpected_answer', 'The list has more, and no cursor of it.');
    if (typeof nextCursor !== 'string' || hasMore === false) return;
    if (seen.has(nextCursor))
      throw new VouchsafeError('repeated_page', 'The list returned to an earlier page.');
    seen.add(nextCursor);
    page = fieldsOf(await pageAfter(nextCursor));
  }
}

import { defined } from '../../../functions/shared/contract/defined.ts';
import { type Answered, good } from '../call.ts';

/**
 * The bodies of the pages of a list, each requested with the cursor of the one before it.
 *
 * @param between runs after each page.
 */
export async function pagesOf(
  list: (place: { cursor?: string }) => Promise<Answered>,
  between: (page: Answered['body']) => Promise<unknown> = async () => undefined,
): Promise<Answered['body'][]> {
  const pages: Answered['body'][] = [];
  let cursor: string | undefined;
  do {
    const page = good(await list(defined({ cursor })));
    pages.push(page);
    cursor = page.nextCursor;
    await between(page);
  } while (cursor !== undefined);
  return pages;
}

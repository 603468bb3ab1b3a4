import { html, type Markup } from '../../shared/html/markup.ts';
import { formatDate } from '../../shared/html/text.ts';
import type { ListPage } from '../../shared/lists/list-page.ts';
import { utc } from '../../shared/runtime/time-zone.ts';
import { idText, pager, table } from './blocks.ts';
import type { Visit } from './visit.ts';

/** A page of the list of applications. */
type Listed = ListPage<{ _id: string; name: string; createdAt: string }>;

/**
 * The applications, newest first, each with a link to what a section has of it.
 *
 * @param hrefOf the address of the page of an application.
 */
export function applicationTable(
  visit: Pick<Visit, 'href' | 'path' | 'query'>,
  { items, nextCursor }: Listed,
  hrefOf: (applicationId: string) => Markup,
): Markup {
  return html`${table('Applications, newest first', {
    columns: [
      { title: 'Name', cell: ({ _id, name }) => html`<a href="${hrefOf(_id)}">${name || _id}</a>` },
      { title: 'Id', cell: ({ _id }) => idText(_id) },
      { title: 'Created', cell: ({ createdAt }) => formatDate(Date.parse(createdAt), utc) },
    ],
    rows: items,
    empty: 'No applications.',
  })}${pager(visit, nextCursor)}`;
}

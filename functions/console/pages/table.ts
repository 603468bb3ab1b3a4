/** The one table of the console: its columns, its rows, and the pages of a list. */
import { html, type Markup, raw } from '../../shared/html/markup.ts';
import { shownAddresses } from '../../shared/html/text.ts';
import type { ListPage } from '../../shared/lists/list-page.ts';
import { formatAmount } from '../../shared/money/format.ts';
import { utc, type Zoned } from '../../shared/runtime/time-zone.ts';
import { badge, day, idText, moment } from './blocks.ts';
import { type Visit, withQuery } from './visit.ts';

type Cell = string | Markup;

/** A column of a table. */
interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Cell;
  /** The values by which a list is sorted; undefined where no order of them helps. */
  readonly order: ((row: Row) => string | number) | undefined;
  readonly isAmount: boolean;
}

const plain = { order: undefined, isAmount: false };

/** An amount in minor units, with its currency. */
type Amount = readonly [minor: number, currency: string];

/** The kinds of columns. Names and addresses stand before ids. */
export const column = {
  text: <R>(title: string, of: (row: R) => string): Column<R> => ({
    title,
    cell: of,
    order: of,
    isAmount: false,
  }),
  /** Several facts, or a form. */
  block: <R>(title: string, cell: (row: R) => Cell): Column<R> => ({ ...plain, title, cell }),
  /** A name that leads to its page. */
  link: <R>(title: string, of: (row: R) => string, href: (row: R) => Markup): Column<R> => ({
    title,
    cell: (row) => html`<a href="${href(row)}">${shownAddresses(of(row))}</a>`,
    order: of,
    isAmount: false,
  }),
  id: <R>(title: string, of: (row: R) => string): Column<R> => ({
    ...plain,
    title,
    cell: (row) => idText(of(row)),
  }),
  status: <R>(title: string, of: (row: R) => string): Column<R> => ({
    title,
    cell: (row) => badge(of(row)),
    order: of,
    isAmount: false,
  }),
  time: <R>(title: string, of: (row: R) => number | undefined): Column<R> => ({
    title,
    cell: (row) => optional(of(row), moment),
    order: (row) => of(row) ?? 0,
    isAmount: false,
  }),
  /** @param zone where the day is one; UTC by default. */
  day: <R>(
    title: string,
    of: (row: R) => number | undefined,
    zone: (row: R) => Zoned = () => utc,
  ): Column<R> => ({
    title,
    cell: (row) => optional(of(row), (atMs) => day(atMs, zone(row))),
    order: (row) => of(row) ?? 0,
    isAmount: false,
  }),
  amount: <R>(title: string, of: (row: R) => Amount): Column<R> => ({
    title,
    cell: (row) => formatAmount(...of(row)),
    order: (row) => of(row)[0],
    isAmount: true,
  }),
  count: <R>(title: string, of: (row: R) => number): Column<R> => ({
    title,
    cell: (row) => String(of(row)),
    order: of,
    isAmount: true,
  }),
};

const optional = (value: number | undefined, show: (value: number) => Markup): Cell =>
  value === undefined ? '' : show(value);

/** The sentence of a table without rows, in one form on every page. A table that always has rows has none. */
type EmptyText = `No ${string}.` | '';

/** A table. The first column names its row. On phones each row is a block. @param empty the text when there are no rows. */
export function table<Row>(
  caption: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  empty: EmptyText,
  head: (column: Column<Row>) => Markup = ({ title }) => html`<th scope="col">${title}</th>`,
): Markup {
  if (rows.length === 0) return html`<p>${empty}</p>`;
  const lines = rows.map((row) => {
    const cells = columns.map(({ title, cell, isAmount }, n) => {
      const content = cell(row);
      const shown = typeof content === 'string' ? shownAddresses(content) : content;
      if (n === 0) return html`<th scope="row" dir="auto">${shown}</th>`;
      return html`<td data-title="${title}" dir="auto"${isAmount ? raw(' class="amount"') : ''}>${shown}</td>`;
    });
    return html`<tr>${cells}</tr>\n`;
  });
  return html`<table><caption>${caption}</caption><thead><tr>${columns.map(head)}</tr></thead><tbody>${lines}</tbody></table>`;
}

type Place = Pick<Visit, 'href' | 'path' | 'query'>;

/** A page of a list, which a person can sort, with the links to the other pages. */
export function list<Row>(
  visit: Place,
  caption: string,
  { items, nextCursor }: ListPage<Row>,
  columns: readonly Column<Row>[],
  empty: EmptyText,
): Markup {
  const { sort, cursor } = visit.query;
  const isDescending = sort?.startsWith('-') === true;
  const chosen = columns.find(
    ({ title, order }) => order !== undefined && keyOf(title) === sort?.replace(/^-/, ''),
  );
  const head = ({ title, order, isAmount }: Column<Row>) => {
    const mark = isAmount ? raw(' class="amount"') : '';
    if (order === undefined || items.length < 2) return html`<th scope="col"${mark}>${title}</th>`;
    const isChosen = title === chosen?.title;
    const next = `${isChosen && !isDescending ? '-' : ''}${keyOf(title)}`;
    const now = isChosen ? raw(` aria-sort="${isDescending ? 'descending' : 'ascending'}"`) : '';
    return html`<th scope="col"${mark}${now}><a href="${visit.href(withQuery(visit.path, Object.assign({}, visit.query, { sort: next })))}">${title}</a></th>`;
  };
  const rows = chosen?.order === undefined ? items : sorted(items, chosen.order, isDescending);
  const isPart = chosen !== undefined && (nextCursor !== undefined || cursor !== undefined);
  const note = isPart ? html`<p class="note">Sorted within this page. The pages keep their order.</p>` : '';
  return html`${table(caption, rows, columns, empty, head)}${note}${pager(visit, nextCursor)}`;
}

/** `Next step` is `next_step`, in an address. */
const keyOf = (title: string): string => title.toLowerCase().replaceAll(' ', '_');

function sorted<Row>(
  rows: readonly Row[],
  order: (row: Row) => string | number,
  isDescending: boolean,
): readonly Row[] {
  const compared = (one: Row, other: Row) => {
    const a = order(one);
    const b = order(other);
    return typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b), 'en');
  };
  return rows.toSorted((one, other) => (isDescending ? compared(other, one) : compared(one, other)));
}

/** The links to the next and the first page of a list. @param nextCursor of the list; undefined on the last page. */
export function pager({ href, path, query }: Place, nextCursor: string | undefined): Markup {
  const link = (cursor: string | undefined, text: string) =>
    html`<a href="${href(withQuery(path, Object.assign({}, query, { cursor })))}">${text}</a>`;
  const links = [
    ...(query.cursor === undefined ? [] : [link(undefined, 'First page')]),
    ...(nextCursor === undefined ? [] : [link(nextCursor, 'Next page')]),
  ];
  return links.length === 0 ? raw('') : html`<nav class="more" aria-label="Pages">${links}</nav>`;
}

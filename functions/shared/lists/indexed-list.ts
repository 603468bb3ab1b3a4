import { getApplication } from '../accounts/applications.ts';
import { defined } from '../contract/defined.ts';
import { encodeCursor, isPlaceWith, readCursor } from '../lambda/cursor.ts';
import { PageSize } from '../lambda/response-size.ts';
import type { Facts } from '../table/listing.ts';
import type { RecordReader } from '../table/record.ts';
import type { Item } from '../table/table.ts';
import { defaultLimit, type ListPage, type PageRequest } from './list-page.ts';
import { firstPlace, type ListedEntry, lastPlace, statusOf } from './listed-entry.ts';
import { listedStore, type PlaceRange } from './listed-store.ts';
import type { ListSource } from './partitions.ts';
import { isDay, placesOf } from './requests.ts';

/** As many entries of the index as one request reads. A filter that few records pass leads to shorter pages. */
const maxEntriesOfPage = 5_000;

export interface IndexedList<T, R> {
  source: ListSource;
  /** The filters beside the period. A cursor continues under the same filters only. */
  filters?: readonly (string | undefined)[];
  /** The earliest place that is read. */
  earliest?: string;
  /** Whether a record is read, by its facts in the index, which the listing of its kind writes, and its status there. */
  passes?(facts: Facts, status: string): boolean;
  /** The items of entries of the index. By default they are read from the table. */
  itemsOf?(entries: readonly ListedEntry[]): readonly Item[];
  read: RecordReader<T>;
  /** Whether the record, which can be newer than its index entry, still belongs to the list. By default it does. */
  belongs?(record: T): boolean;
  toResponse(record: T): R | Promise<R>;
}

interface ListQuery extends PageRequest {
  from?: string | undefined;
  to?: string | undefined;
}

/**
 * Reads a page: as many records as requested or as fit into a response. A record keeps its place when it changes, and a
 * cursor is a place. So no record is on two pages, and one that belongs to the list all the while is on one of them.
 *
 * @throws ApiError `invalid_request` when the cursor does not belong to this list, or the period ends before it begins.
 */
export async function indexedPage<T, R>(list: IndexedList<T, R>, query: ListQuery): Promise<ListPage<R>> {
  const { limit = defaultLimit, cursor } = query;
  const { from, to } = placesOf(query, await timeZoneOf(list.source, query));
  const filters = [...(list.filters ?? []), from, to].map((filter) => filter ?? '');
  const { source } = list;
  const [kind] = source.scope;
  const scope = ['listed', ...source.scope, ...filters];
  const after = readCursor(scope, cursor, { [kind]: isPlaceWith('#') })?.[kind];
  const range = {
    from: later(from ?? firstPlace, list.earliest ?? firstPlace),
    to: earlier(to ?? lastPlace, after ?? lastPlace),
  };
  const entries = entriesOf(source.groups(range.from, range.to), range, limit + 1);
  const reader = new EntryReader(entries, after, list.passes);
  const shown: R[] = [];
  const size = new PageSize();
  let place = after;
  const page = (hasMore: boolean) => ({
    items: shown,
    ...defined({ nextCursor: hasMore && place ? encodeCursor(scope, { [kind]: place }) : undefined }),
  });
  for (;;) {
    const { taken, end } = await reader.take(limit - shown.length);
    const items = list.itemsOf?.(taken) ?? (await listedStore.itemsOf(taken));
    const byKey = new Map(items.map((item) => [`${item.pk} ${item.sk}`, item]));
    const responses = await Promise.all(
      taken.map(async ({ pk, sk, listedAt }) => {
        const found = byKey.get(`${pk} ${sk}`);
        const record = found && list.read(found);
        const belongs = record !== undefined && (list.belongs?.(record) ?? true);
        return { listedAt, response: belongs ? await list.toResponse(record) : undefined };
      }),
    );
    for (const { listedAt, response } of responses) {
      if (response !== undefined) {
        if (!size.add(response)) return page(true);
        shown.push(response);
      }
      place = listedAt;
    }
    // Entries that the filter left out are behind this page too.
    place = reader.place ?? place;
    if (end !== undefined) return page(end === 'budget');
    if (shown.length === limit) return page(await reader.hasMore());
  }
}

/** The settings are read for a day alone: times need no time zone. */
async function timeZoneOf({ seller }: ListSource, { from, to }: ListQuery) {
  if (seller === undefined || ![from, to].some((end) => isDay(end ?? ''))) return undefined;
  const { settings } =
    seller.settings === undefined ? ((await getApplication(seller.applicationId)) ?? {}) : seller;
  return settings?.timeZone;
}

async function* entriesOf(
  groups: readonly (readonly string[])[],
  range: PlaceRange,
  expected: number,
): AsyncGenerator<ListedEntry> {
  for (const partitions of groups) yield* listedStore.newestFirst(partitions, range, expected);
}

const earlier = (a: string, b: string) => (a < b ? a : b);
const later = (a: string, b: string) => (a < b ? b : a);

/** Takes entries that pass a filter, up to a number of entries that were read. */
class EntryReader {
  readonly #entries: AsyncGenerator<ListedEntry>;
  readonly #after: string | undefined;
  readonly #passes: (facts: Facts, status: string) => boolean;
  #read = 0;
  #peeked: ListedEntry | undefined;
  /** The place of the last entry that was taken or left out. */
  place: string | undefined;

  constructor(
    entries: AsyncGenerator<ListedEntry>,
    after: string | undefined,
    passes: (facts: Facts, status: string) => boolean = () => true,
  ) {
    this.#entries = entries;
    this.#after = after;
    this.#passes = passes;
  }

  /** Up to `count` entries; `end`: why there are no more of them. */
  async take(count: number): Promise<{ taken: ListedEntry[]; end?: 'list' | 'budget' }> {
    const taken: ListedEntry[] = [];
    while (taken.length < count) {
      const entry = await this.#next();
      if (entry === undefined) return { taken, end: 'list' };
      this.place = entry.listedAt;
      if (this.#passes(entry.listed ?? {}, statusOf(entry))) taken.push(entry);
      if (this.#read >= maxEntriesOfPage) return { taken, end: 'budget' };
    }
    return { taken };
  }

  /** Whether an entry follows, whatever the filter says of it. */
  async hasMore(): Promise<boolean> {
    this.#peeked = await this.#next();
    return this.#peeked !== undefined;
  }

  async #next(): Promise<ListedEntry | undefined> {
    if (this.#peeked !== undefined) {
      const peeked = this.#peeked;
      this.#peeked = undefined;
      return peeked;
    }
    for (;;) {
      const { value, done } = await this.#entries.next();
      if (done) return undefined;
      this.#read += 1;
      // The range of a page includes its end, which is the last entry of the page before.
      if (value.listedAt !== this.#after) return value;
    }
  }
}

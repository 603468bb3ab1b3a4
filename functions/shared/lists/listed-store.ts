import { queryPage } from '../table/query.ts';
import { recordReader } from '../table/record.ts';
import { batchGetItems, type Item } from '../table/table.ts';
import type { ListedEntry } from './listed-entry.ts';

/** The places of a list that are read, both included. Places are compared as text. */
export interface PlaceRange {
  from: string;
  to: string;
}

/** DynamoDB answers with 1 MB at most, which is some 3,000 entries. */
const maxCount = 1_000;

const readListedEntry = recordReader<ListedEntry>(['list', 'listedAt']);

export const listedStore = {
  /**
   * The entries of some partitions of the index, newest first, read as they are taken. Each partition is sorted by place: this
   * merges them. The first queries ask each partition for twice its part of `expected`, and later ones for more of those that
   * have run out.
   */
  async *newestFirst(
    partitions: readonly string[],
    range: PlaceRange,
    expected: number,
  ): AsyncGenerator<ListedEntry> {
    if (range.from > range.to) return;
    const cursors = partitions.map(
      (partition): Cursor => ({
        partition,
        count: Math.min(maxCount, Math.ceil((2 * expected) / partitions.length) + 4),
        entries: [],
        next: 0,
        startAfter: undefined,
        hasMore: true,
      }),
    );
    let latest: string | undefined;
    for (;;) {
      const empty = cursors.filter((cursor) => cursor.hasMore && isEmpty(cursor));
      if (empty.length > 0) await Promise.all(empty.map((cursor) => refill(cursor, range, expected)));
      const first = newestOf(cursors);
      const entry = first?.entries[first.next];
      if (first === undefined || entry === undefined) return;
      first.next += 1;
      // The index follows its items: for a moment, a record can be in the partitions of its former status and its new one.
      if (entry.listedAt === latest) continue;
      latest = entry.listedAt;
      yield entry;
    }
  },

  /** The items of up to 100 entries, strongly consistent, in the order of the entries. */
  async itemsOf(entries: readonly ListedEntry[]): Promise<Item[]> {
    if (entries.length === 0) return [];
    const items = await batchGetItems(entries);
    const byKey = new Map(items.map((item) => [keyText(item), item]));
    return entries.map((entry) => byKey.get(keyText(entry))).filter((item) => item !== undefined);
  },
};

const keyText = ({ pk, sk }: { pk: string; sk: string }) => `${pk} ${sk}`;

interface Cursor {
  partition: string;
  /** How many entries the next query asks for. */
  count: number;
  entries: readonly ListedEntry[];
  /** The position in `entries` of the first that was not taken. */
  next: number;
  startAfter: Readonly<Record<string, unknown>> | undefined;
  hasMore: boolean;
}

const isEmpty = ({ entries, next }: Cursor) => next === entries.length;

async function refill(cursor: Cursor, range: PlaceRange, expected: number): Promise<void> {
  const { partition, count, startAfter } = cursor;
  const page = await queryPage({
    partition,
    index: 'listed',
    range,
    descending: true,
    limit: count,
    startAfter,
  });
  cursor.entries = page.items.map(readListedEntry);
  cursor.next = 0;
  cursor.startAfter = page.lastKey;
  cursor.hasMore = page.lastKey !== undefined;
  // Most records have one status. Half of a page from each of its shards is nearly always all that is missing.
  cursor.count = Math.min(maxCount, Math.max(2 * count, Math.ceil(expected / 2)));
}

function newestOf(cursors: readonly Cursor[]): Cursor | undefined {
  let newest: Cursor | undefined;
  for (const cursor of cursors) {
    const place = cursor.entries[cursor.next]?.listedAt;
    const newestPlace = newest?.entries[newest.next]?.listedAt;
    if (place !== undefined && (newestPlace === undefined || place > newestPlace)) newest = cursor;
  }
  return newest;
}

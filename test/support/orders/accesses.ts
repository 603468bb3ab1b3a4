/** The items that a call to the table reads and writes, and whether two calls can change places. */

/** A call to the table. An item is `pk\nsk`, a queried partition `pk`. */
export interface Accesses {
  /** `UpdateItem`. */
  readonly operation: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Partitions of the table that it queries. An index is behind the table by any time, so no order of calls decides about it. */
  readonly queries: readonly string[];
}

type Key = { pk: unknown; sk: unknown };
interface Input {
  Key?: Key;
  Item?: Key;
  TransactItems?: Record<string, { Key?: Key; Item?: Key }>[];
  RequestItems?: Record<string, { Keys: Key[] }>;
  IndexName?: string;
  ExpressionAttributeValues?: Record<string, unknown>;
}

const itemOf = ({ pk, sk }: Key) => `${pk}\n${sk}`;
const partitionOf = (item: string) => item.slice(0, item.indexOf('\n'));

/** Reads the input of a command of the document client. */
export function accessesOf(command: string, input: object): Accesses {
  const operation = command.replace(/Command$/, '');
  const {
    Key,
    Item,
    TransactItems = [],
    RequestItems = {},
    IndexName,
    ExpressionAttributeValues,
  } = input as Input;
  if (operation === 'Query') {
    const queries = IndexName === undefined ? [String(ExpressionAttributeValues?.[':pk'])] : [];
    return { operation, reads: [], writes: [], queries };
  }
  const parts = TransactItems.flatMap((part) =>
    Object.entries(part).map(([kind, { Key, Item }]) => ({ kind, item: itemOf(Key ?? Item ?? noKey) })),
  );
  const read = Object.values(RequestItems).flatMap(({ Keys }) => Keys.map(itemOf));
  const single = Key ?? Item;
  const own = single === undefined ? [] : [itemOf(single)];
  const isRead = operation === 'GetItem';
  return {
    operation,
    reads: [
      ...read,
      ...(isRead ? own : []),
      ...parts.filter(({ kind }) => kind === 'ConditionCheck').map(({ item }) => item),
    ],
    writes: [
      ...(isRead ? [] : own),
      ...parts.filter(({ kind }) => kind !== 'ConditionCheck').map(({ item }) => item),
    ],
    queries: [],
  };
}

const noKey: Key = { pk: '', sk: '' };

/** Counters of requests add up in any order, and the mailbox stands outside of the table. */
const isCounted = (item: string) => !/^(RATE|MAILBOX)#/.test(item);

/** Whether one of the calls writes what the other reads or writes. Calls that do not meet have one effect in both orders. */
export function meet(a: Accesses, b: Accesses): boolean {
  return isSeen(a, b) || isSeen(b, a);
}

function isSeen(writer: Accesses, other: Accesses): boolean {
  const written = writer.writes.filter(isCounted);
  if (written.length === 0) return false;
  const seen = new Set([...other.reads, ...other.writes]);
  return written.some(
    (item) => seen.has(item) || other.queries.includes('*') || other.queries.includes(partitionOf(item)),
  );
}

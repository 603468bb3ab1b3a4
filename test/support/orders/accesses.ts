/** The items that a call to the table reads and writes, and whether two calls can change places. */

import { isReading, placeOf, tableCall } from '../table/table-call.ts';

/** A call to the table. An item is `pk\nsk`, a queried partition `pk`. */
export interface Accesses {
  /** `UpdateItem`. */
  readonly operation: string;
  /** The prefixes of its keys: `LINK+HISTORY`. */
  readonly of: string;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  /** Partitions of the table that it queries. An index is behind the table by any time, so no order of calls decides about it. */
  readonly queries: readonly string[];
}

const partitionOf = (item: string) => item.slice(0, item.indexOf('\n'));

/** Reads the input of a command of the document client. */
export function accessesOf(command: string, input: object): Accesses {
  const call = tableCall(command, input);
  const { operation, index, uses } = call;
  const of = placeOf(call);
  if (operation === 'Query')
    return {
      operation,
      of,
      reads: [],
      writes: [],
      queries: index === undefined ? uses.map(({ pk }) => pk) : [],
    };
  const items = (isRead: boolean) =>
    uses.filter(({ action }) => isReading(action) === isRead).map(({ pk, sk }) => `${pk}\n${sk}`);
  return { operation, of, reads: items(true), writes: items(false), queries: [] };
}

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
  return written.some((item) => seen.has(item) || other.queries.includes(partitionOf(item)));
}

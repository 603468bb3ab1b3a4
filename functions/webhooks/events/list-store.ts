import { defined } from '../../shared/contract/defined.ts';
import { type Audience, eventRetentionDays } from '../../shared/contract/events.ts';
import * as keys from '../../shared/contract/keys.ts';
import { dayMs } from '../../shared/runtime/clock.ts';
import { retryOnConflict } from '../../shared/table/optimistic-retry.ts';
import { queryPage } from '../../shared/table/query.ts';
import { recordReader } from '../../shared/table/record.ts';
import { notExists, transactWrite, type Write } from '../../shared/table/table.ts';
import type { KeptEvents } from './event.ts';
import { eventStore } from './store.ts';

export const groupsOfPart = 20;

interface ListedGroup {
  groupId: string;
  /** The types of its events, so that a reader who filters need not read the events. */
  types: readonly string[];
  audience?: Audience;
}

/** A group with its number in the list, from 1. Numbers rise without holes. */
export interface NumberedGroup extends ListedGroup {
  number: number;
}

/** A part of the list of an application's events. Every part but the newest is full, and parts are numbered without holes. */
export interface ListPart {
  n: number;
  groups: readonly ListedGroup[];
}

/**
 * The most that the events of one transaction take, in characters: DynamoDB takes 4 MB, and counts items as they are stored.
 * https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
 */
const maxCharacters = 1_000_000;

/** A replaced part stays for longer than all events that it lists. */
const partRetentionMs = (eventRetentionDays + 2) * dayMs;

/**
 * The lists of the events of applications.
 *
 * A list is append-only, and one transaction gives an event its place: after all events that were listed before. A place is
 * never before one that a reader has seen, whatever the clocks of the writers say.
 */
export const eventListStore = {
  /**
   * Lists groups of events of an application, in the order given, after all that were listed before. Each transaction also
   * takes its groups out of the index of due work. Groups that are listed already are left out, so that a second run, or one
   * at the same time, changes nothing.
   *
   * @throws ApiError `conflict` when other writers of the same list keep coming first. Some groups may be listed then.
   */
  async append(applicationId: string, groups: readonly KeptEvents[], nowMs: number): Promise<void> {
    let waiting = waitingOf(groups);
    while (waiting.length > 0) {
      waiting = await retryOnConflict(async () => {
        const taken = await appendSome(applicationId, waiting, nowMs);
        if (taken !== undefined) return waiting.slice(taken);
        // Another writer came first, or one of the groups has been listed or deleted.
        waiting = waitingOf(await eventStore.get(waiting.map(({ groupId }) => groupId)));
        return waiting.length === 0 ? [] : undefined;
      });
    }
  },

  /**
   * Groups of events of an application after a number, in the order of the list: at most `maxParts` parts.
   *
   * The newest part is read first. Every part before it is full by then and stays as it is, so one that a later query does not
   * return has been deleted, with events that have all expired. Parts that are newer still are left for the next page: such a
   * query can see one of them without the last groups of the part before it, because it does not read all items at one moment.
   *
   * @returns `isWhole`: whether the groups reach to the end of the list.
   */
  async read(
    applicationId: string,
    after: number,
    maxParts: number,
  ): Promise<{ groups: NumberedGroup[]; isWhole: boolean }> {
    const newest = await newestPart(applicationId);
    const n = Math.floor(after / groupsOfPart) + 1;
    if (newest === undefined || newest.n < n) return { groups: [], isWhole: true };
    const parts = newest.n === n ? [newest] : await partsFrom(applicationId, n, maxParts);
    const known = parts.filter((part) => part.n <= newest.n);
    const numbered = known.flatMap(({ n, groups }) =>
      groups.map((group, place): NumberedGroup => ({ ...group, number: numberOf(n, place) })),
    );
    return {
      groups: numbered.filter(({ number }) => number > after),
      isWhole: known.at(-1)?.n === newest.n,
    };
  },
};

const readListPart = recordReader<ListPart>(['n', 'groups']);

/** Parts from the n-th on, at most 1 MB. */
async function partsFrom(applicationId: string, n: number, maxParts: number): Promise<ListPart[]> {
  const { items } = await queryPage({
    partition: keys.eventListPartition(applicationId),
    startAfter: { ...keys.eventList(applicationId, n - 1) },
    limit: maxParts,
  });
  return items.map(readListPart);
}

function waitingOf(groups: readonly KeptEvents[]): KeptEvents[] {
  const distinct = new Map(groups.map((group) => [group.groupId, group]));
  return [...distinct.values()].filter(({ listNumber }) => listNumber === undefined);
}

/**
 * Lists as many groups as the newest part has room for, or a new part, in one transaction.
 *
 * @returns how many groups from the first on are listed; undefined when nothing was written.
 */
async function appendSome(
  applicationId: string,
  waiting: readonly KeptEvents[],
  nowMs: number,
): Promise<number | undefined> {
  const newest = await newestPart(applicationId);
  const isFull = newest === undefined || newest.groups.length >= groupsOfPart;
  const part: ListPart = isFull ? { n: (newest?.n ?? 0) + 1, groups: [] } : newest;
  const taken = fitting(waiting, groupsOfPart - part.groups.length);
  const listed = taken.map(
    ({ groupId, events, audience }): ListedGroup => ({
      groupId,
      types: [...new Set(events.map(({ type }) => type))],
      ...defined({ audience }),
    }),
  );
  const first = numberOf(part.n, part.groups.length);
  const isWritten = await transactWrite([
    ...(isFull
      ? [creation(applicationId, part.n, listed), ...replacement(applicationId, newest, nowMs)]
      : [extension(applicationId, part, listed)]),
    ...taken.map(({ groupId }, i) => listing(groupId, first + i)),
  ]);
  return isWritten ? taken.length : undefined;
}

/** The newest part of a list; undefined when nothing was ever listed. It has no expiry, so that numbers are never used again. */
async function newestPart(applicationId: string): Promise<ListPart | undefined> {
  const { items } = await queryPage({
    partition: keys.eventListPartition(applicationId),
    descending: true,
    limit: 1,
  });
  return items.map(readListPart)[0];
}

/** The number of a group in a list, from 1, by its part and its place in the part from 0. */
function numberOf(n: number, place: number): number {
  return (n - 1) * groupsOfPart + place + 1;
}

/** The groups at the beginning that one transaction takes, at least one. */
function fitting(waiting: readonly KeptEvents[], room: number): readonly KeptEvents[] {
  let characters = 0;
  const end = waiting.findIndex(({ events }, i) => {
    for (const { data } of events) characters += data.length;
    return i === room || (i > 0 && characters > maxCharacters);
  });
  return end === -1 ? waiting : waiting.slice(0, end);
}

function creation(applicationId: string, n: number, groups: readonly ListedGroup[]): Write {
  const Item = { ...keys.eventList(applicationId, n), n, groups };
  return { Put: { Item, ConditionExpression: notExists } };
}

/** A part may be deleted some time after the next one has taken its place as the newest. */
function replacement(applicationId: string, former: ListPart | undefined, nowMs: number): Write[] {
  if (former === undefined) return [];
  return [
    {
      Update: {
        Key: keys.eventList(applicationId, former.n),
        UpdateExpression: 'SET #ttl = :expires',
        ConditionExpression: 'attribute_not_exists(#ttl) AND size(#groups) = :full',
        ExpressionAttributeValues: {
          ':expires': keys.expirySeconds(nowMs + partRetentionMs),
          ':full': groupsOfPart,
        },
      },
    },
  ];
}

function extension(applicationId: string, { n, groups }: ListPart, added: readonly ListedGroup[]): Write {
  return {
    Update: {
      Key: keys.eventList(applicationId, n),
      UpdateExpression: 'SET #groups = list_append(#groups, :added)',
      ConditionExpression: 'size(#groups) = :count',
      ExpressionAttributeValues: { ':added': added, ':count': groups.length },
    },
  };
}

/** Gives a group its number, and takes it out of the index of due work, once. */
function listing(groupId: string, listNumber: number): Write {
  return {
    Update: {
      Key: keys.events(groupId),
      UpdateExpression: 'SET listNumber = :number REMOVE due, dueAt',
      ConditionExpression: 'attribute_exists(due)',
      ExpressionAttributeValues: { ':number': listNumber },
    },
  };
}

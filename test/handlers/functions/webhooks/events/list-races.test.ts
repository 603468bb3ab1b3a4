/** The list of events while consumers append to it, fail and repeat themselves, and readers page through it. */

import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../../../../../functions/shared/runtime/ids.ts';
import { dynamodb } from '../../../../../functions/shared/table/client.ts';
import { type EventPage, eventPage, listStart } from '../../../../../functions/webhooks/events/event-page.ts';
import { eventListStore, groupsOfPart } from '../../../../../functions/webhooks/events/list-store.ts';
import { eventStore } from '../../../../../functions/webhooks/events/store.ts';
import { failTable, loseAnswers } from '../../../../support/faults.ts';
import { listedEvents, recordEvents } from '../../../../support/webhooks/events.ts';

const stores = { events: eventStore, list: eventListStore };
const newApplication = () => newId('app', Date.now());
const idsOf = ({ events }: EventPage) => events.map(({ id }) => id);

/** Pages through the list until `count` events were read, as a poller that goes on from where it stands. */
async function pollUntil(applicationId: string, count: number, limit: () => number): Promise<string[]> {
  const ids: string[] = [];
  let after = listStart;
  while (ids.length < count) {
    const page = await eventPage(
      { applicationId, after, limit: limit(), takes: () => true },
      stores,
      Date.now(),
    );
    ids.push(...idsOf(page));
    after = page.place;
    if (!page.hasMore) await sleep(2);
  }
  return ids;
}

async function allOf(applicationId: string): Promise<string[]> {
  const ids: string[] = [];
  let page: EventPage = { events: [], place: listStart, hasMore: true };
  while (page.hasMore) {
    page = await eventPage(
      { applicationId, after: page.place, limit: 7, takes: () => true },
      stores,
      Date.now(),
    );
    ids.push(...idsOf(page));
  }
  return ids;
}

test('readers get every event exactly once and in one order, while consumers list them concurrently', async () => {
  const applicationId = newApplication();
  const groups = await Promise.all(
    Array.from({ length: 200 }, (_, i) =>
      recordEvents(applicationId, i % 3 === 0 ? ['invoice.issued', 'invoice.updated'] : ['invoice.issued']),
    ),
  );
  const count = groups.reduce((sum, { events }) => sum + events.length, 0);
  const waiting = [...groups];
  const consume = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, randomInt(1, 30));
      // The stream can hand a batch to two runs at once.
      await Promise.all([
        eventListStore.append(applicationId, batch, Date.now()),
        eventListStore.append(applicationId, batch.toReversed(), Date.now()),
      ]);
    }
  };
  const readers = Promise.all(
    Array.from({ length: 2 }, () => pollUntil(applicationId, count, () => randomInt(1, 101))),
  );
  await Promise.all(Array.from({ length: 3 }, consume));
  const orders = await readers;
  expect(new Set(orders[0]).size).toBe(count);
  for (const order of orders) expect(order).toEqual(orders[0]);
  expect(await allOf(applicationId)).toEqual(orders[0]);
});

test('a consumer that dies at any call lists its events exactly once when it runs again', async () => {
  const countsOfCalls: number[] = [];
  for (const dies of [failTable, loseAnswersAt]) {
    for (let at = 0; ; at += 1) {
      const applicationId = newApplication();
      const listed = await listedEvents(
        applicationId,
        Array.from({ length: 15 }, () => ['invoice.issued']),
      );
      const groups = await Promise.all(
        Array.from({ length: 25 }, () => recordEvents(applicationId, ['invoice.issued'])),
      );
      const faults = dies((_command, index) => (index >= at ? new Error('killed') : undefined));
      const outcome = await eventListStore.append(applicationId, groups, Date.now()).then(
        () => 'listed',
        () => 'killed',
      );
      faults.restore();
      const before = await allOf(applicationId);
      // The stream hands the same batch over again, as it was read before.
      await eventListStore.append(applicationId, groups, Date.now());
      const ids = await allOf(applicationId);
      expect(ids.slice(0, before.length)).toEqual(before);
      expect(ids).toEqual([...listed, ...groups.map(({ groupId }) => `${groupId}0`)]);
      if (outcome === 'listed') {
        countsOfCalls.push(at);
        break;
      }
    }
  }
  // Two transactions, with a read before each.
  expect(countsOfCalls).toEqual([4, 4]);
});

function loseAnswersAt(fails: (command: string, index: number) => Error | undefined) {
  return loseAnswers((command, index) => fails(command, index) !== undefined);
}

test('a page leaves out a part that became visible before the end of the part before it', async () => {
  const applicationId = newApplication();
  const listed = await listedEvents(
    applicationId,
    Array.from({ length: groupsOfPart + 10 }, () => ['invoice.issued']),
  );
  const send = dynamodb.send.bind(dynamodb) as (command: object) => Promise<{ Items?: object[] }>;
  const later: string[] = [];
  // A query reads its items at different moments: it returns the second part as it was, and a third one that came later.
  const spy = vi.spyOn(dynamodb, 'send').mockImplementation((async (command: { input: object }) => {
    const isList = 'ExclusiveStartKey' in command.input && later.length === 0;
    const before = isList ? await send(command) : undefined;
    if (isList)
      later.push(
        ...(await listedEvents(
          applicationId,
          Array.from({ length: 15 }, () => ['invoice.issued']),
        )),
      );
    const answer = await send(command);
    return before
      ? { ...answer, Items: [...(before.Items ?? []), ...(answer.Items ?? []).slice(2)] }
      : answer;
  }) as never);
  const query = { applicationId, limit: 100, takes: () => true };
  const page = await eventPage({ ...query, after: listStart }, stores, Date.now()).finally(() =>
    spy.mockRestore(),
  );
  expect(later).toHaveLength(15);
  expect(idsOf(page)).toEqual(listed);
  const next = await eventPage({ ...query, after: page.place }, stores, Date.now());
  expect(idsOf(next)).toEqual(later);
});

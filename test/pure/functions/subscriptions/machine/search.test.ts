/**
 * Every state that a subscription can reach, and every event in it: see search/search.ts for what is exhaustive. The numbers of states and
 * edges are in search/figures, which `npx vitest run -u` writes anew after a change of the lifecycle.
 */
import { events as invoiceEvents } from '../../../../../functions/invoices/events.ts';
import {
  eventNames,
  namedRepeats,
  namedTransitions,
  statesBefore,
} from '../../../../../functions/subscriptions/machine/transitions.ts';
import { lives } from './search/moves.ts';
import { type Found, rowName, search } from './search/search.ts';

const known = new Map<string, Found>();

/** Of all lives together. Those that were searched before are not searched again. */
const foundInAll = (): Found[] =>
  Object.entries(lives).map(([name, life]) => known.get(name) ?? search(life));

test.each(Object.keys(lives))('every change that can be reached keeps every promise: %s', async (name) => {
  const life = lives[name];
  if (life === undefined) throw new Error('There is no such life');
  const found = search(life);
  known.set(name, found);
  expect(found.faults).toEqual([]);
  const lines = [
    ...Object.entries(found.states).map(([status, count]) => `${status}: ${count} states`),
    `edges: ${found.edges}, of them beyond the bounds: ${found.beyond}`,
  ];
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(
    `search/figures/${name.replaceAll(' ', '-')}.txt`,
  );
});

/** Credit that covers a trial is used before an invoice of it is issued: only an invoice of an earlier version is covered. */
const unreached = 'trial_end trialing active creditCoversInvoices beginCoveredTerm';

test('every row of the table but one is taken, and an event is allowed in the states that it was taken in', () => {
  const reached = new Set(foundInAll().flatMap(({ rows }) => [...rows]));
  expect(reached.has(unreached)).toBe(false);
  expect([...reached, unreached].toSorted()).toEqual(namedTransitions().map(rowName).toSorted());
  for (const event of eventNames) {
    const taken = [...reached].map((row) => row.split(' ')).filter(([of]) => of === event);
    const states = new Set(taken.flatMap(([, from]) => (from === 'none' ? [] : [from])));
    expect(statesBefore(event).toSorted(), event).toEqual([...states].toSorted());
  }
});

test('the table has a repeat for each event that asks for the present values, and for no other event', () => {
  const named = namedRepeats().map(({ event, status }) => `${event} ${status}`);
  const reached = foundInAll().flatMap(({ repeats }) => [...repeats]);
  expect([...new Set(reached)].toSorted()).toEqual([...new Set(named)].toSorted());
});

test('the changes lead to every registered event of an invoice, and to no other', () => {
  const reached = foundInAll().flatMap(({ invoiceEvents: names }) => [...names]);
  const registered = Object.keys(invoiceEvents).filter((type) => type.startsWith('invoice.'));
  expect([...new Set(reached)].map((name) => `invoice.${name}`).toSorted()).toEqual(registered.toSorted());
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { namedRepeats, namedTransitions } from '../../../../functions/subscriptions/machine/transitions.ts';
import {
  effects,
  guards,
  lifecycleDiagram,
  lifecycleTable,
  withLifecycle,
} from '../../../../lib/reference/lifecycle.ts';

const file = join(import.meta.dirname, '../../../../docs/subscriptions.md');

test('the documentation shows the current transition table (npm run lifecycle updates it)', () => {
  const document = readFileSync(file, 'utf8');
  expect(document).toBe(withLifecycle(document));
});

test('the table names the states of every transition, and the diagram has an arrow for every change of state', () => {
  const statesOfRows = lifecycleTable()
    .split('\n')
    .slice(2)
    .flatMap((row) => row.split(' | ')[0]?.replace('| ', '').split(', ') ?? []);
  expect(statesOfRows.toSorted()).toEqual(
    namedTransitions()
      .map(({ from }) => from)
      .toSorted(),
  );
  for (const { from, to } of namedTransitions()) {
    if (from === to) continue;
    expect(lifecycleDiagram()).toContain(`${from === 'none' ? '[*]' : from} --> ${to}: `);
  }
});

test('every guard and every effect of the table has a text, and no other function has one', () => {
  const rows = namedTransitions();
  const guardNames = [...rows, ...namedRepeats()].flatMap(({ guard }) => guard ?? []);
  expect(Object.keys(guards).toSorted()).toEqual([...new Set(guardNames)].toSorted());
  expect(Object.keys(effects).toSorted()).toEqual([...new Set(rows.map(({ effect }) => effect))].toSorted());
});

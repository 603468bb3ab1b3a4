import { expect, test } from 'vitest';
import { overBudget } from '../support/budgets.ts';

test('a file and a layer that took longer than they may are named, with what to do', () => {
  expect(overBudget({ 'test/pure/a.test.ts': 20.4, 'test/handlers/b.test.ts': 19.9 })).toEqual([
    expect.stringMatching(/^test\/pure\/a\.test\.ts took 20\.4 s, and a file may take 20 s: share /),
  ]);
  const many = Array.from({ length: 100 }, (_, i) => [`test/pure/${i}.test.ts`, 1] as const);
  expect(overBudget(Object.fromEntries(many))).toEqual([
    expect.stringMatching(/^test\/pure took 100 s, and may take 60 s: make /),
  ]);
});

test('where nothing is recorded, nothing is over budget', () => {
  expect(overBudget({})).toEqual([]);
});

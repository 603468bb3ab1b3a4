import { overBudget } from '../support/budgets.ts';

test('a file and a layer that took longer than they may are named, with what to do', () => {
  expect(overBudget({ 'test/handlers/a.test.ts': 150.4, 'test/handlers/b.test.ts': 149.9 })).toEqual([
    expect.stringMatching(/^test\/handlers\/a\.test\.ts took 150\.4 s, and a file may take 150 s: share /),
  ]);
  const many = Array.from({ length: 110 }, (_, i) => [`test/pure/${i}.test.ts`, 1] as const);
  expect(overBudget(Object.fromEntries(many))).toEqual([
    expect.stringMatching(/^test\/pure took 110 s, and may take 100 s: make /),
  ]);
});

test('where nothing is recorded, nothing is over budget', () => {
  expect(overBudget({})).toEqual([]);
});

import { expect, test } from 'vitest';
import { afterMail, roundTrips } from '../bench/budgets.ts';
import { budgetProblems, checkBudgets, namedInBenchmarks } from '../bench/check-budgets.ts';

test('every route and timer that uses the table has a budget, and every budget belongs to one', () => {
  expect(budgetProblems(roundTrips, namedInBenchmarks(), afterMail)).toEqual([]);
  expect(checkBudgets).not.toThrow();
});

test('a missing and a misspelt budget are named', () => {
  const { 'links.list': trips = 0, ...others } = roundTrips;
  expect(budgetProblems(others, namedInBenchmarks())).toEqual([
    'links.list has no budget: add one to roundTrips in test/bench/budgets.ts',
  ]);
  expect(budgetProblems({ ...others, 'links.lsit': trips }, namedInBenchmarks())).toEqual([
    'links.list has no budget: add one to roundTrips in test/bench/budgets.ts',
    "The budget 'links.lsit' belongs to no route, timer or case: correct its name",
  ]);
  expect(budgetProblems({ ...roundTrips, 'links.list of nothing': 1 }, namedInBenchmarks())).toEqual([
    "The budget 'links.list of nothing' belongs to no route, timer or case: correct its name",
  ]);
  expect(budgetProblems(roundTrips, namedInBenchmarks(), { 'devices.trust wrng': 1 })).toHaveLength(1);
});

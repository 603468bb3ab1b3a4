import { afterMail, roundTrips, roundTripsOf } from '../bench/budgets.ts';
import { budgetProblems, checkBudgets, namedInBenchmarks } from '../bench/check-budgets.ts';

test('every budget belongs to a route, a timer or a case', () => {
  expect(budgetProblems(roundTrips, namedInBenchmarks(), afterMail)).toEqual([]);
  expect(checkBudgets).not.toThrow();
});

test('a route without a budget has the usual one, and one of a case alone is no budget of others', () => {
  expect([roundTripsOf('links.list', 'a page'), roundTripsOf('clients.list', 'a page')]).toEqual([1, 2]);
  expect(roundTripsOf('account.submit', 'send')).toBe(2);
  expect(roundTripsOf('account.submit', 'something else')).toBeUndefined();
});

test('a misspelt budget is named', () => {
  expect(budgetProblems({ ...roundTrips, 'links.lsit': 1 }, namedInBenchmarks())).toEqual([
    "The budget 'links.lsit' belongs to no route, timer or case: correct its name",
  ]);
  expect(budgetProblems({ ...roundTrips, 'links.list of nothing': 1 }, namedInBenchmarks())).toEqual([
    "The budget 'links.list of nothing' belongs to no route, timer or case: correct its name",
  ]);
  expect(budgetProblems(roundTrips, namedInBenchmarks(), { 'devices.trust wrng': 1 })).toHaveLength(1);
});

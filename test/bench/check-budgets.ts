import { registeredRoutes } from '../../functions/routes.ts';
import { registeredTimers } from '../../functions/timers.ts';
import { afterMail, roundTrips } from './budgets.ts';
import { cases } from './cases/all.ts';

/** The parts of a benchmark that budgets name. */
interface Named {
  /** Ids of routes and timers that access the table. */
  ids: readonly string[];
  /** `<id> <what>` of every case. */
  cases: readonly string[];
}

/** Budgets without a case: the tests hold them (`roundTrips` of `test/support/faults.ts`). */
const heldByTests: readonly string[] = ['devices.check'];

/**
 * The problems of the names of budgets: a route or timer without one, or a name that belongs to nothing.
 *
 * @returns one sentence for each.
 */
export function budgetProblems(
  budgets: Readonly<Record<string, number>>,
  named: Named,
  after: Readonly<Record<string, number>> = {},
): string[] {
  const known = new Set([...named.ids, ...named.cases]);
  const firstWord = (name: string) => name.split(' ', 1)[0];
  const hasBudget = (id: string) => Object.keys(budgets).some((name) => firstWord(name) === id);
  const missing = named.ids.filter((id) => !hasBudget(id));
  const unknown = [...Object.keys(budgets), ...Object.keys(after)].filter(
    (name) => !known.has(name) && !heldByTests.includes(name),
  );
  return [
    ...missing.map((id) => `${id} has no budget: add one to roundTrips in test/bench/budgets.ts`),
    ...unknown.map((name) => `The budget '${name}' belongs to no route, timer or case: correct its name`),
  ];
}

/** The names of all routes, timers and cases. A route without grants on the table makes no round trips. */
export function namedInBenchmarks(): Named {
  const all = [...registeredRoutes(), ...registeredTimers()];
  const grantsOf = (one: (typeof all)[number]) => ('route' in one ? one.route.grants : one.timer.grants);
  const ids = all.filter((one) => grantsOf(one).table || grantsOf(one).indexes).map(({ id }) => id);
  return { ids, cases: cases.map(({ id, what }) => `${id} ${what}`) };
}

/** Routes whose first case, which stands for them where one is measured alone, is refused. */
const refusedFirst = (): string[] =>
  [...Map.groupBy(cases, ({ id }) => id).values()].flatMap(([usual]) =>
    usual !== undefined && usual.status >= 400
      ? [
          `The first case of ${usual.id}, '${usual.what}', is answered ${usual.status}: put one that succeeds before it`,
        ]
      : [],
  );

/** @throws Error that names every wrong or missing budget, and every route whose usual case is refused. */
export function checkBudgets(): void {
  const problems = [...budgetProblems(roundTrips, namedInBenchmarks(), afterMail), ...refusedFirst()];
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

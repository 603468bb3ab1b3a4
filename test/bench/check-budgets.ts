import { registeredRoutes } from '../../functions/routes.ts';
import { registeredTimers } from '../../functions/timers.ts';
import { afterMail, roundTrips } from './budgets.ts';
import { cases } from './cases/all.ts';

/** The parts of a benchmark that budgets name. */
interface Named {
  /** Ids of routes and timers. */
  ids: readonly string[];
  /** `<id> <what>` of every case. */
  cases: readonly string[];
}

/** Budgets without a case: the tests hold them (`roundTrips` of `test/support/faults.ts`). */
const heldByTests: readonly string[] = ['devices.check'];

/** The problems of the names of budgets, one sentence for each name that belongs to nothing. */
export function budgetProblems(
  budgets: Readonly<Record<string, number>>,
  named: Named,
  after: Readonly<Record<string, number>> = {},
): string[] {
  const known = new Set([...named.ids, ...named.cases]);
  const unknown = [...Object.keys(budgets), ...Object.keys(after)].filter(
    (name) => !known.has(name) && !heldByTests.includes(name),
  );
  return unknown.map((name) => `The budget '${name}' belongs to no route, timer or case: correct its name`);
}

/** The names of all routes, timers and cases. */
export function namedInBenchmarks(): Named {
  const ids = [...registeredRoutes(), ...registeredTimers()].map(({ id }) => id);
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

/** @throws Error that names every budget that belongs to nothing, and every route whose usual case is refused. */
export function checkBudgets(): void {
  const problems = [...budgetProblems(roundTrips, namedInBenchmarks(), afterMail), ...refusedFirst()];
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

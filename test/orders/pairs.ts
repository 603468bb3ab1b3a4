/** The pairs of commands that can meet: one writes what the other reads or writes. */
import { type Registered, registeredRoutes } from '../../functions/routes.ts';
import { callerGrants, type Grants } from '../../functions/shared/contract/grants.ts';
import { samples } from '../support/samples/requests.ts';
import { isReading, prefixOf } from '../support/table/table-call.ts';

/** Two operations by their ids. The world is that of the sample of the first. */
export interface Pair {
  readonly first: string;
  readonly second: string;
}

export const nameOf = ({ first, second }: Pair): string => `${first} and ${second}`;

interface Prefixes {
  readonly written: ReadonlySet<string>;
  readonly used: ReadonlySet<string>;
}

/** The prefixes of the keys that a function may use, without the counters of requests. */
function prefixesOf({ route }: Registered): Prefixes {
  const grants: Grants[] = [route.grants, ...callerGrants(route)];
  const all = grants
    .flatMap(({ table = {} }) => Object.entries(table))
    .filter(([prefix]) => !prefix.startsWith('RATE'));
  const of = (entries: typeof all) => new Set(entries.map(([prefix]) => prefixOf(prefix)));
  return {
    written: of(all.filter(([, actions]) => actions.some((action) => !isReading(action)))),
    used: of(all),
  };
}

/** Why a pair may end as no sequence does. */
const allowed: Readonly<Record<string, string>> = {
  'vault.write and users.reset':
    'A write that was authenticated before the reset may end after it. Its proof has the former stamp, so the next owner replaces both.',
};

/** Every pair of commands with samples, in both worlds, in which one may write what the other uses. */
export function allPairs(): Pair[] {
  const commands = registeredRoutes()
    .filter(({ id }) => samples[id] !== undefined)
    .map((entry) => ({ id: entry.id, ...prefixesOf(entry) }))
    .filter(({ written }) => written.size > 0);
  return commands.flatMap((a) =>
    commands
      .filter(
        (b) => [...a.written].some((one) => b.used.has(one)) || [...b.written].some((one) => a.used.has(one)),
      )
      .map((b) => ({ first: a.id, second: b.id }))
      .filter((pair) => !(nameOf(pair) in allowed)),
  );
}

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

/** Operations of which each of one list, with each of the other, may end as no sequence does. */
interface Allowed {
  readonly between: readonly string[];
  /** An operation and the form of the console that sends it. */
  readonly and: readonly string[];
  /** The reason: what is seen, by whom, for how long. */
  readonly why: string;
}

const allowed: readonly Allowed[] = [
  {
    between: ['vault.write'],
    and: ['users.reset'],
    why: 'A write that was authenticated before the reset may end after it. Its proof has the former stamp, so the next owner replaces both.',
  },
  {
    between: ['devices.list'],
    and: ['devices.trust'],
    why: 'A list reads trusted and quarantined devices by two queries at once. A device that becomes trusted between them is in neither. The next list has it, and no access depends on a list.',
  },
  {
    between: ['payments.reallocate'],
    and: ['payments.reverse'],
    why: 'A move takes the money off and then places it, by two transactions. Between them the money waits, and the reversal takes it. The move is refused then. The orders of moved-money.test.ts show that the books are sound.',
  },
  {
    between: ['portal.link'],
    and: ['portal.link', 'portal.link-mail', 'console-operations.portal'],
    why: 'Two requests that replace the link at once replace it once, and both get the new one. Every link from before them is old. One after the other would only count one version more.',
  },
  {
    between: ['portal.submit'],
    and: ['portal.link-mail', 'console-operations.portal'],
    why: 'Subscribers who open the page just before its link is replaced may still rename themselves, as a moment earlier. The mail with the new link greets them by the name that was read for it.',
  },
  {
    between: ['console.review-submit'],
    and: ['console.review-show'],
    why: 'A link can be decided while its page is made. The page shows it as it was, and decides nothing: its revision is old. Its claim stays on a link that nobody reviews, for ten minutes at most, and the API decides as if there were none.',
  },
  {
    between: ['console.review-submit'],
    and: ['console.review-submit'],
    why: 'The reviewer claims the next link of the queue, which all pairs of a run share. An order that comes later can find none free. In forms.test.ts the queue has a next link for each order.',
  },
  {
    between: ['operator.mail-redrive-all'],
    and: ['operator.mail-give-up'],
    why: 'The first makes all mails of the table due again. It finds those that the orders before have given up, too.',
  },
];

const isAllowed = ({ first, second }: Pair): boolean =>
  allowed.some(
    ({ between, and }) =>
      (between.includes(first) && and.includes(second)) || (between.includes(second) && and.includes(first)),
  );

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
      .filter((pair) => !isAllowed(pair)),
  );
}

/**
 * The search through all that can happen to a subscription: breadth first, until no state is new.
 *
 * It acts on real records with the real decisions, and on the first record of each state only. Two worlds are one state when they have
 * the same {@link keyOf}. So it is exhaustive over these classes, and not over what they leave out:
 *
 * - amounts: nothing, a part, all, or less than nothing is due; the sign of the client's credit; one price a plan, one currency, no tax;
 *   a payment of a part, of the first invoice or of all;
 * - times: whether each decisive time is over, now or to come, and not how far; steps run on time or nine days late;
 * - history: the latest closed invoice, at most two open ones, and one payment under way. What has more is judged and not continued;
 * - the groups of events of different lives do not meet. The walks draw such lives.
 */
import { creditAfter } from '../../../../../../functions/ledger/entry.ts';
import { decide } from '../../../../../../functions/subscriptions/machine/decide.ts';
import type { TransitionContext } from '../../../../../../functions/subscriptions/machine/event.ts';
import {
  eventOfUpdate,
  eventsOfIssued,
  invoicesAfter,
} from '../../../../../../functions/subscriptions/machine/invoice-changes.ts';
import {
  namedTransitions,
  transitionOf,
} from '../../../../../../functions/subscriptions/machine/transitions.ts';
import { hasEnded } from '../../../../../../functions/subscriptions/record/subscription.ts';
import { type Edge, faultsOf } from './invariants.ts';
import { isStarted, type Life, movesOf } from './moves.ts';
import { keyOf, type World } from './world.ts';

/** The result of a search. */
export interface Found {
  readonly states: Readonly<Record<string, number>>;
  readonly edges: number;
  /** The edges to states beyond the bounds. */
  readonly beyond: number;
  /** Broken invariants, each with the events that lead there: the shortest way. */
  readonly faults: readonly string[];
  /** The rows of the table that were taken. */
  readonly rows: ReadonlySet<string>;
  /** Events and the states in which they repeat an earlier one. */
  readonly repeats: ReadonlySet<string>;
  readonly invoiceEvents: ReadonlySet<string>;
}

/** A state, and the way to it. */
interface Node {
  readonly world: World;
  readonly names: readonly string[];
}

type Row = ReturnType<typeof namedTransitions>[number];
export const rowName = ({ event, from, to, guard, effect }: Omit<Row, 'announces'>): string =>
  [event, from, to, guard, effect].join(' ');

const maxStates = 5_000;
const maxOpen = 2;

export function search(life: Life): Found {
  const all = namedTransitions();
  const rows = Map.groupBy(all, rowName);
  const seen = new Set<string>();
  const states: Record<string, number> = {};
  const faults = new Map<string, string>();
  const reached = { rows: new Set<string>(), repeats: new Set<string>(), invoiceEvents: new Set<string>() };
  let edges = 0;
  let beyond = 0;

  /** Judges an event. @returns the world after it; undefined without a change. */
  const take = ({ world, names }: Node, name: string, context: TransitionContext): World | undefined => {
    const { subscription, invoices, creditMinor } = world;
    const decision = decide(subscription, frozen(context));
    if (decision.kind === 'unchanged') reached.repeats.add(`${context.event} ${subscription.status}`);
    if (decision.kind !== 'changed') return undefined;
    edges += 1;
    const { change } = decision;
    const result = transitionOf(subscription, context);
    if (result.kind !== 'changed') throw new Error('A decision follows no row');
    const { to = subscription.status, guard, effect, alsoTakes = [] } = result.transition;
    const row = rowName({
      event: context.event,
      from: subscription.status,
      to: to === 'none' ? 'pending' : to,
      guard: guard?.name,
      effect: effect.name,
    });
    reached.rows.add(row);
    for (const issued of change.issued)
      for (const one of eventsOfIssued(issued)) reached.invoiceEvents.add(one);
    for (const update of change.updated) reached.invoiceEvents.add(eventOfUpdate(context.event, update));
    const after: Edge['after'] = {
      subscription: change.next,
      invoices: invoicesAfter(change, invoices).toSorted((a, b) => b.n - a.n),
      creditMinor: creditAfter({ EUR: creditMinor }, change.books).EUR ?? 0,
      nowMs: context.nowMs,
    };
    const steps: readonly string[] = alsoTakes;
    const taken = all.filter(({ event }) => steps.includes(event));
    const [own] = rows.get(row) ?? [];
    if (own === undefined) throw new Error(`The table has no row ${row}`);
    for (const fault of faultsOf({ before: world, context, row: own, taken, change, after })) {
      const kind = `${fault.slice(0, fault.indexOf(': '))} ${context.event}`;
      if (!faults.has(kind)) faults.set(kind, [fault, ...names, name].join('\n  '));
    }
    return after;
  };

  let layer: Node[] = life.from.map((world) => ({ world: frozen(world), names: [] }));
  // The layer of a fault is the last one: the trails are the shortest, and a fault can lead to endlessly many states.
  while (layer.length > 0 && faults.size === 0) {
    const next: Node[] = [];
    for (const node of layer) {
      const own = keyOf(node.world);
      let hasWayOut = isStarted(node.world) && hasEnded(node.world.subscription.status);
      for (const { name, act } of movesOf(node.world, life)) {
        const world =
          'untilMs' in act ? { ...node.world, nowMs: act.untilMs } : take(node, name, act.context);
        if (world === undefined) continue;
        if (world.subscription.openInvoices.length > maxOpen) {
          beyond += 1;
          continue;
        }
        const key = keyOf(world);
        hasWayOut ||= key !== own;
        if (seen.has(key)) continue;
        seen.add(key);
        const { status } = world.subscription;
        states[status] = (states[status] ?? 0) + 1;
        next.push({ world: frozen(world), names: [...node.names, name] });
      }
      if (!hasWayOut) faults.set('way out', ['There is no way out', ...node.names].join('\n  '));
    }
    if (seen.size > maxStates) faults.set('states', `There are more than ${maxStates} states`);
    layer = next;
  }
  return { states, edges, beyond, faults: [...faults.values()], ...reached };
}

/** A value that cannot be changed any more: a decision that writes to what it has read throws. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const one of Object.values(value)) frozen(one);
  return value;
}

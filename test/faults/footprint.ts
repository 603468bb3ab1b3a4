import { isDeepStrictEqual } from 'node:util';
import { batchGetItems, type Item } from '../../functions/shared/table/table.ts';
import { prefixOf } from '../support/table/table-call.ts';

/** Counters of requests are not compared: a request that is sent again counts again, and so does a code. */
const ignoredPrefixes = new Set(['MAILBOX', 'RATE']);
const batch = 100;

/** The items with these keys (`pk\nsk`), in the order of the keys. */
export async function itemsWith(written: ReadonlySet<string>): Promise<Item[]> {
  const keys = [...written]
    .map((key) => key.split('\n'))
    .map(([pk = '', sk = '']) => ({ pk, sk }))
    .filter(({ pk }) => !ignoredPrefixes.has(prefixOf(pk)));
  const items: Item[] = [];
  for (let i = 0; i < keys.length; i += batch) items.push(...(await batchGetItems(keys.slice(i, i + batch))));
  return items;
}

/** Attributes that tell whether a change was made once. They are the same in every run of a scenario. */
const compared = [
  ...['status', 'revision', 'version', 'timerVersion', 'invoiceCount', 'template', 'isVerified'],
  ...['eventCount', 'listNumber', 'made', 'retries'],
];

/** The kinds of items and their states, without ids and times: equal for two runs that did the same. */
export function footprint(items: readonly Item[]): string[] {
  return items.map(shapeOf).sort();
}

function shapeOf(item: Item): string {
  const { pk, sk } = item;
  const kind = sk.includes('#') ? sk.split('#', 1)[0] : sk;
  const sort = /^[A-Z]+$/.test(kind ?? '') ? kind : '*';
  const state = compared
    .filter((name) => typeof item[name] === 'string' || typeof item[name] === 'number' || item[name] === true)
    .map((name) => `${name}=${item[name]}`);
  return [`${prefixOf(pk)}/${sort}`, ...state].join(' ');
}

/** Whether an entry of the outbox is still due: a timer delivers it later. */
export const hasDueEntry = (items: readonly Item[]): boolean =>
  items.some(({ sk, due }) => sk.startsWith('OUTBOX#') && due !== undefined);

/** The entries of `a` that `b` has not, each as often as it is missing. */
export function without(a: readonly string[], b: readonly string[]): string[] {
  const left = [...b];
  return a.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/** Times and numbers of requests, which count a request that arrives twice twice. */
const counter = /^([ht]\d+|attempts|tries|ttl)$/;

/** The effect of a late call on items, in words. Counters of requests do not matter. */
export function changesBetween(
  before: readonly Item[],
  after: readonly Item[],
): { made: string[]; altered: string[] } {
  const keyOf = ({ pk, sk }: Item) => `${pk} ${sk}`;
  const known = new Map(before.map((item) => [keyOf(item), item]));
  const left = new Set(after.map(keyOf));
  const made = after.filter((item) => !known.has(keyOf(item))).map((item) => `made ${shapeOf(item)}`);
  const altered = [
    ...before.filter((item) => !left.has(keyOf(item))).map((item) => `deleted ${shapeOf(item)}`),
    ...after.flatMap((item) => {
      const old = known.get(keyOf(item));
      if (old === undefined || isDeepStrictEqual(old, item)) return [];
      const names = [...new Set([...Object.keys(old), ...Object.keys(item)])];
      const changed = names.filter((name) => !isDeepStrictEqual(old[name], item[name]));
      return changed.every((name) => counter.test(name))
        ? []
        : [`changed ${changed.join(', ')} of ${shapeOf(old)}`];
    }),
  ];
  return { made, altered };
}

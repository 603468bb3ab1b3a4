/** What works leave in the table, without ids, times and secrets: equal for two worlds in which the same happened. */

import { dynamodb } from '../../../functions/shared/table/client.ts';
import { batchGetItems, type Item } from '../../../functions/shared/table/table.ts';
import { accessesOf } from './accesses.ts';

const batch = 100;
/** Counters of requests, and the mailbox outside of the table. */
const isIgnored = (item: string) => /^(RATE|MAILBOX)#/.test(item);

/** The items that were written since `watchWrites`, and until it is called again. */
export type Watched = () => Promise<Item[]>;

let written: Set<string> | undefined;

dynamodb.middlewareStack.add(
  (next, context) => (args) => {
    for (const item of accessesOf(String(context.commandName), args.input).writes)
      if (!isIgnored(item)) written?.add(item);
    return next(args);
  },
  { step: 'initialize', name: 'watched-writes', priority: 'low' },
);

/** From now on, notes which items are written. */
export function watchWrites(): Watched {
  const own = new Set<string>();
  written = own;
  return async () => {
    const keys = [...own].map((item) => item.split('\n')).map(([pk = '', sk = '']) => ({ pk, sk }));
    const items: Item[] = [];
    for (let i = 0; i < keys.length; i += batch)
      items.push(...(await batchGetItems(keys.slice(i, i + batch))));
    return items;
  };
}

/** The items, each as its kind and its values, in an order that does not depend on ids. */
export const formOfItems = (items: readonly Item[]): string[] =>
  items.map((item) => JSON.stringify(formOf(item))).sort();

const word = /^[A-Za-z][A-Za-z_. -]{0,40}$/;
const leastTime = 1e9;

/** A value with words, small numbers and flags; all other values are told apart by their type alone. */
export function formOf(value: unknown): unknown {
  if (typeof value === 'string') return word.test(value) ? value : kindOf(value);
  if (typeof value === 'number') return Math.abs(value) < leastTime ? value : '<time>';
  if (value instanceof Uint8Array) return '<bytes>';
  if (value instanceof Set) return [...value].map(formOf).sort();
  if (Array.isArray(value)) return value.map(formOf);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).map(([name, one]) => [kindOf(name), formOf(one)] as const);
  return entries.sort(([a, x], [b, y]) =>
    a === b ? order(JSON.stringify(x), JSON.stringify(y)) : order(a, b),
  );
}

const order = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** A text with the kind of each id and time in place of its value: `SUBSCRIPTION#<id>`. */
const kindOf = (text: string): string =>
  text
    .replaceAll(/\d{4}-\d\d-\d\d(T[\d:.]+Z)?/g, '<time>')
    .replaceAll(/[\w+/=~-]*\d[\w+/=~-]*/g, '<id>')
    .slice(0, 80);

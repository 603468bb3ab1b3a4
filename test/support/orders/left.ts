/** The items that works leave in the table, without ids, times and secrets: equal where the same happened. */

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as env from '../../../functions/shared/runtime/env.ts';
import { dynamodb } from '../../../functions/shared/table/client.ts';
import type { Item } from '../../../functions/shared/table/table.ts';
import { itemsWith } from '../../faults/footprint.ts';
import { accessesOf } from './accesses.ts';

/** The items that were written since `watchWrites`, and until it is called again. */
export type Watched = () => Promise<Item[]>;

let written: Set<string> | undefined;
/** The items that were written since all were as {@link asMade} found them. */
let changed = new Set<string>();

const isRefusal = /^(ConditionalCheckFailed|TransactionCanceled)Exception$/;

dynamodb.middlewareStack.add(
  (next, context) => async (args) => {
    const note = () => {
      for (const item of accessesOf(String(context.commandName), args.input).writes) {
        written?.add(item);
        changed.add(item);
      }
    };
    try {
      const answer = await next(args);
      note();
      return answer;
    } catch (error) {
      // A refused write leaves nothing, and one without an answer may have been made.
      if (!(error instanceof Error && isRefusal.test(error.name))) note();
      throw error;
    }
  },
  { step: 'initialize', name: 'watched-writes', priority: 'low' },
);

/** From now on, notes which items are written. */
export function watchWrites(): Watched {
  const own = new Set<string>();
  written = own;
  return () => itemsWith(own);
}

/** Makes records. @returns also what puts the items back as they were made, but for counters of requests. */
export async function asMade<T>(make: () => Promise<T>): Promise<{ made: T; restore(): Promise<void> }> {
  changed = new Set();
  const made = await make();
  const items = new Map((await itemsWith(changed)).map((item) => [`${item.pk}\n${item.sk}`, item]));
  changed = new Set();
  const restore = async () => {
    const requests = [...changed].map((key) => {
      const [pk, sk] = key.split('\n');
      const Item = items.get(key);
      return Item === undefined ? { DeleteRequest: { Key: { pk, sk } } } : { PutRequest: { Item } };
    });
    changed = new Set();
    for (let i = 0; i < requests.length; i += batch) {
      const RequestItems = { [env.tableName()]: requests.slice(i, i + batch) };
      await unwatched.send(new BatchWriteCommand({ RequestItems }));
    }
    for (const key of items.keys()) written?.add(key);
  };
  return { made, restore };
}

const batch = 25;
/** A client whose writes are no writes of a work. */
const unwatched = DynamoDBDocumentClient.from(new DynamoDBClient());

/** The items, each as its kind and its values, in an order that does not depend on ids. */
export const formOfItems = (items: readonly Item[]): string[] => items.map(formOf).sort();

const leastTime = 1e9;

/** Counts of attempts, who asked for a code, and when a device last proved its password: each attempt counts, and no later one depends on the order. */
const noted = new Set(['tries', 'askedFrom', 'passwordProvedAtMs', 'passwordProvedFrom']);

/** A value as text with its words, amounts and flags. Ids, times and secrets are told apart by their place alone. */
export function formOf(value: unknown): string {
  if (typeof value === 'string') return /^[{[]/.test(value) ? formOf(parsed(value)) : textWithoutIds(value);
  if (typeof value === 'number') return Math.abs(value) < leastTime ? String(value) : '<time>';
  if (value instanceof Uint8Array) return '<bytes>';
  if (value instanceof Set) return `(${[...value].map(formOf).sort().join(', ')})`;
  if (Array.isArray(value)) return `[${value.map(formOf).join(', ')}]`;
  if (value === null || typeof value !== 'object') return String(value);
  const judged = Object.entries(value).filter(([name]) => !noted.has(name));
  const fields = judged.map(([name, one]) => {
    const form = typeof one === 'number' && name.endsWith('Ms') ? '<time>' : formOf(one);
    return `${textWithoutIds(name)}: ${form}`;
  });
  return `{${fields.sort().join(', ')}}`;
}

/** Data of events are kept as JSON. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return `text ${text}`;
  }
};

/** A word of a sentence, of an enumeration, of a name or of a key. A reference number has eight capitals. */
const word = /^([A-Za-z]?[a-z]{0,15}|[A-Z]{2,7}|[A-Z]{9,15}|[a-z]{1,15}([A-Z][a-z]{1,15}){1,3})$/;

/** `SUBSCRIPTION#sub_01M8...` as `SUBSCRIPTION#<id>`: a part between separators is words, or an id, a time or a secret. */
const textWithoutIds = (text: string): string =>
  text
    .split(/([#\s]+)/)
    .map((part, i) => (i % 2 === 1 || part.split(/[_.,:;()]/).every((one) => word.test(one)) ? part : '<id>'))
    .join('');

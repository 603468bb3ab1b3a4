import type { Key } from '../contract/keys.ts';
import { getItem, type Item } from './table.ts';

/** Turns an item into a record, and throws when it is none. */
export type RecordReader<T> = (item: Item) => T;

/**
 * The reader of one kind of record. The result has all attributes of the item, except those named in `without`.
 *
 * This is the one place where items become records. Only typed writes of this project fill the table, each under a key that names
 * its kind, so that the values are not validated again at every read. The fields that are checked tell an item of another
 * kind, and one that an update has created in part.
 *
 * @param has fields that every record of the kind has.
 */
export function recordReader<T extends object>(
  has: readonly (keyof T & string)[],
  without: readonly string[] = [],
): RecordReader<T> {
  return (item) => {
    const fields: object =
      without.length === 0
        ? item
        : Object.fromEntries(Object.entries(item).filter(([name]) => !without.includes(name)));
    if (isRecord(fields, has)) return fields;
    const missing = has.filter((field) => item[field] === undefined);
    throw new Error(`The item ${item.pk} ${item.sk} has no ${missing.join(', ')}`);
  };
}

const isRecord = <T extends object>(fields: object, has: readonly (keyof T & string)[]): fields is T =>
  has.every((field) => Reflect.get(fields, field) !== undefined);

export async function getRecord<T>(key: Key, read: RecordReader<T>): Promise<T | undefined> {
  const item = await getItem(key);
  return item && read(item);
}

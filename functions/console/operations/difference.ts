/** The difference that a change makes to a record, as a table of names and values: `settings.dunning.graceDays`. */
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../shared/contract/merge-patch.ts';
import { html, type Markup } from '../../shared/html/markup.ts';
import { column, table } from '../pages/table.ts';
import { valueText } from './values.ts';

/** A value before and after a change; undefined is none. */
interface Difference {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
  /** The default. */
  readonly defaultValue: unknown;
}

/** The values that a change adds, replaces or removes, by name. */
export function differences(before: object, after: object, defaultValues: object): Difference[] {
  const former = flat(before);
  const next = flat(after);
  const defaults = flat(defaultValues);
  return [...new Set([...former.keys(), ...next.keys()])]
    .toSorted()
    .map((name) => ({
      name,
      before: former.get(name),
      after: next.get(name),
      defaultValue: defaults.get(name),
    }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
}

export function differenceTable(changes: readonly Difference[]): Markup {
  const shown = (value: unknown, defaultValue: unknown) =>
    value === undefined && defaultValue !== undefined
      ? `default: ${valueText(defaultValue)}`
      : valueText(value);
  return table(
    'What changes',
    changes,
    [
      column.text('Field', ({ name }) => name),
      column.block('Before', ({ before, defaultValue }) => html`<del>${shown(before, defaultValue)}</del>`),
      column.block('After', ({ after, defaultValue }) => html`<ins>${shown(after, defaultValue)}</ins>`),
    ],
    'No changes: the record is as the form says.',
  );
}

/** The values by their names. An array is one value, and so is an object that is empty. */
export function flat(record: object): Map<string, unknown> {
  const entries = Object.entries(record).flatMap(([name, value]): [string, unknown][] =>
    isObject(value) && Object.keys(value).length > 0
      ? [...flat(value)].map(([inner, one]) => [`${name}.${inner}`, one])
      : [[name, value]],
  );
  return new Map(entries);
}

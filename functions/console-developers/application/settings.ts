/** Settings as one list of names and values: `dunning.graceDays`. */
import { isDeepStrictEqual } from 'node:util';
import { defaultSettings } from '../../shared/accounts/default-settings.ts';
import { isObject } from '../../shared/contract/merge-patch.ts';

/** A setting with its value and its default; undefined is none. */
export interface Setting {
  name: string;
  value: unknown;
  standard: unknown;
}

/** A setting before and after a change; undefined is none. */
export interface SettingChange {
  name: string;
  before: unknown;
  after: unknown;
  standard: unknown;
}

const standards = flat(defaultSettings);

/** The settings that are set or have a default, by name. */
export function settingsOf(settings: object): Setting[] {
  const values = flat(settings);
  return namesOf(values, standards).map((name) => ({
    name,
    value: values.get(name),
    standard: standards.get(name),
  }));
}

/** Whether a setting is set to another value than its default. */
export const differs = ({ value, standard }: Setting): boolean =>
  value !== undefined && !isDeepStrictEqual(value, standard);

/** The settings that a change adds, replaces or removes, by name. */
export function settingChanges(before: object, after: object): SettingChange[] {
  const former = flat(before);
  const next = flat(after);
  return namesOf(former, next)
    .map((name) => ({
      name,
      before: former.get(name),
      after: next.get(name),
      standard: standards.get(name),
    }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
}

/** The values by their names. An array is one value, and so is an object that is empty. */
function flat(settings: object): Map<string, unknown> {
  const entries = Object.entries(settings).flatMap(([name, value]): [string, unknown][] =>
    isObject(value) && Object.keys(value).length > 0
      ? [...flat(value)].map(([inner, one]) => [`${name}.${inner}`, one])
      : [[name, value]],
  );
  return new Map(entries);
}

const namesOf = (...maps: readonly ReadonlyMap<string, unknown>[]) =>
  [...new Set(maps.flatMap((map) => [...map.keys()]))].toSorted();

/** A value for people. */
export function valueText(value: unknown): string {
  if (value === undefined) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

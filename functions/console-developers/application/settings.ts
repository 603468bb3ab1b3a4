/** Settings as one list of names and values: `dunning.graceDays`. */
import { isDeepStrictEqual } from 'node:util';
import { flat } from '../../console/operations/difference.ts';
import { defaultSettings } from '../../shared/accounts/default-settings.ts';

/** A setting with its value and its default; undefined is none. */
export interface Setting {
  name: string;
  value: unknown;
  standard: unknown;
}

const standards = flat(defaultSettings);

/** The settings that are set or have a default, by name. */
export function settingsOf(settings: object): Setting[] {
  const values = flat(settings);
  return [...new Set([...values.keys(), ...standards.keys()])].toSorted().map((name) => ({
    name,
    value: values.get(name),
    standard: standards.get(name),
  }));
}

/** Whether a setting is set to another value than its default. */
export const differs = ({ value, standard }: Setting): boolean =>
  value !== undefined && !isDeepStrictEqual(value, standard);

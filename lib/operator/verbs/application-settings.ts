import { isObject } from '../../../functions/shared/contract/merge-patch.ts';
import { UsageError } from '../arguments.ts';
import { commandOf, runOperation } from '../requests.ts';
import { reasonOption, type Verb } from '../verb.ts';

type Settings = Readonly<Record<string, unknown>>;

export const applicationSettings: Verb = {
  name: 'application settings',
  summary: 'Shows the settings of an application, or merges the given settings into them.',
  positionals: [{ name: 'application', field: 'id' }],
  rest: 'key=value',
  options: { reason: reasonOption },
  asks: true,
  notes: [
    'A key has dots: banking.iban=DE02.... A value is JSON, or else a text; null removes the setting. The other settings stay',
    'as they are (JSON Merge Patch, RFC 7396).',
  ].join('\n'),
  run: ({ fields: { id, reason }, rest }, session) => {
    const settings = settingsOf(rest);
    return rest.length === 0
      ? runOperation(commandOf('getApplication'), { id }, session)
      : runOperation(commandOf('updateApplication'), { id, settings, reason }, session);
  },
};

/**
 * The settings that assignments describe, as a merge patch. One of two assignments for a setting would be lost.
 *
 * @throws UsageError
 */
export function settingsOf(assignments: readonly string[]): Settings {
  const paths: string[] = [];
  return assignments.reduce<Settings>((settings, one) => {
    const [, path, value] = /^([\w-]+(?:\.[\w-]+)*)=(.*)$/s.exec(one) ?? [];
    if (path === undefined || value === undefined)
      throw new UsageError('A setting is written as key=value, such as public=true.');
    const other = paths.find((former) => isWithin(path, former) || isWithin(former, path));
    if (other !== undefined)
      throw new UsageError(
        other === path
          ? `${path} is given twice.`
          : `${other} and ${path} are one setting: give one of them.`,
      );
    paths.push(path);
    return assigned(settings, path.split('.'), settingOf(value));
  }, {});
}

const isWithin = (path: string, outer: string): boolean => `${path}.`.startsWith(`${outer}.`);

function assigned(settings: Settings, [name = '', ...inner]: readonly string[], value: unknown): Settings {
  const former = Object.hasOwn(settings, name) ? settings[name] : {};
  const next = inner.length === 0 ? value : assigned(isObject(former) ? former : {}, inner, value);
  return Object.fromEntries([...Object.entries(settings), [name, next]]);
}

function settingOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

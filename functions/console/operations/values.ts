/** The values of a form: read from what it sends, and written from a record that it shows. */

import { isObject } from '../../shared/contract/merge-patch.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import type { FormField } from './fields.ts';

/** The most objects of a list that a form can have. */
const mostRows = 100;

/** The values of a form, by the names of its fields. */
export type FormValues = Readonly<Record<string, string | undefined>>;

/** The values with which a form came that shows a record. Any other text counts as none. */
export function shownIn({ shown = '' }: FormValues): FormValues | undefined {
  const values = parsed(shown);
  return isObject(values)
    ? Object.fromEntries(Object.entries(values).map(([name, one]) => [name, String(one)]))
    : undefined;
}

/**
 * The value that a form states for a field; undefined when it states none. A text that is no number stays a text, so that the
 * schema of the operation says what is wrong.
 *
 * @param shown the values with which the form came. An optional field that has its value is left out: somebody else may have changed it
 * meanwhile. One that is emptied takes its value away.
 */
function enteredValue(field: FormField, sent: FormValues, shown: FormValues): unknown {
  const { name, kind, isRequired, isRemovable } = field;
  if (kind === 'group' && field.isMerged) {
    const isEmptied =
      isWithin(Object.keys(shown), name) && !textsWithin(name, sent).some(([, text]) => text !== '');
    return isRemovable && isEmptied ? null : objectOf(field.fields, sent, shown);
  }
  if (!isRequired && isUnchanged(name, sent, shown)) return undefined;
  const value = statedValue(field, sent);
  if (value !== undefined || !isWithin(Object.keys(shown), name)) return value;
  if (isRemovable) return null;
  return ['lines', 'choices', 'rows'].includes(kind) ? [] : '';
}

/** Whether a field is an id of the record, or of its application. */
export const isId = (name: string): boolean => name.startsWith('path.') || name === 'applicationId';

/** Whether one of the names is that of the field or of a part of it. */
export const isWithin = (names: readonly string[], field: string): boolean =>
  names.some((one) => one === field || one.startsWith(`${field}.`));

/** The texts of a field and of its parts. A browser sends line ends as CRLF. */
const textsWithin = (field: string, values: FormValues): [name: string, text: string][] =>
  Object.entries(values)
    .filter(([name]) => isWithin([name], field))
    .map(([name, text = '']) => [name, text.replaceAll('\r\n', '\n').trim()]);

function isUnchanged(field: string, sent: FormValues, shown: FormValues): boolean {
  const now = new Map(textsWithin(field, sent));
  const then = new Map(textsWithin(field, shown));
  return [...now.keys(), ...then.keys()].every((name) => (now.get(name) ?? '') === (then.get(name) ?? ''));
}

function statedValue(field: FormField, sent: FormValues): unknown {
  const { name, kind } = field;
  const text = sent[`${name}.other`]?.trim() || sent[name]?.trim() || undefined;
  switch (kind) {
    case 'group':
      return objectOf(field.fields, sent);
    case 'rows': {
      // An object whose fields are emptied goes.
      const rows = Array.from(
        { length: rowsIn(name, sent) },
        (_, n) => objectOf(field.row(n), sent) ?? [],
      ).flat();
      return rows.length === 0 ? undefined : rows;
    }
    case 'choices': {
      const chosen = field.choices.filter((choice) => sent[`${name}.${choice}`] !== undefined);
      return chosen.length === 0 ? undefined : chosen;
    }
    case 'lines': {
      if (text === undefined && !field.isRequired) return undefined;
      const all = (text ?? '').split(/\r\n|[\r\n]/).filter((line) => line.trim() !== '');
      return all.map((line) => statedValue(field.of, { [field.of.name]: line }));
    }
    default:
      return text === undefined ? undefined : single(field, text);
  }
}

/** The number of the objects of a list that a form has fields for. */
export function rowsIn(name: string, sent: FormValues): number {
  const places = Object.keys(sent).flatMap((one) =>
    one.startsWith(`${name}.`) ? [Number.parseInt(one.slice(name.length + 1), 10)] : [],
  );
  return Math.min(mostRows, Math.max(0, ...places.filter(Number.isSafeInteger).map((n) => n + 1)));
}

function single({ kind }: FormField, text: string): unknown {
  switch (kind) {
    case 'number':
      return Number.isNaN(Number(text)) ? text : Number(text);
    case 'flag':
      if (text === 'yes') return true;
      return text === 'no' ? false : text;
    case 'time':
      return timeOf(text);
    case 'json':
      return parsed(text);
    default:
      return text;
  }
}

/** A browser sends `2026-12-31T09:30`. A text that is no such time stays a text. */
function timeOf(text: string): string {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text) ? Date.parse(`${text}Z`) : Number.NaN;
  return Number.isNaN(time) ? text : isoTime(time);
}

/** A text that is no JSON stays a text, which the schema refuses. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The values of a form that shows a record. A record without a value has none. @param fields of the form. */
export function valuesOf(fields: readonly FormField[], record: unknown): Record<string, string> {
  if (!isObject(record)) return {};
  return Object.assign({}, ...fields.map((field) => shownValues(field, record[lastName(field)])));
}

function shownValues(field: FormField, value: unknown): Record<string, string> {
  const { name, kind } = field;
  if (value === undefined || value === null) return {};
  const all: readonly unknown[] = Array.isArray(value) ? value : [];
  switch (kind) {
    case 'group':
      return valuesOf(field.fields, value);
    case 'rows':
      return Object.assign({}, ...all.map((one, n) => valuesOf(field.row(n), one)));
    case 'choices':
      return Object.fromEntries(all.map((choice) => [`${name}.${choice}`, 'on']));
    case 'lines':
      return { [name]: all.map(String).join('\n') };
    case 'flag':
      return { [name]: value === true ? 'yes' : 'no' };
    case 'time':
      return { [name]: String(value).slice(0, 19) };
    case 'json':
      return { [name]: JSON.stringify(value) };
    default:
      return { [name]: String(value) };
  }
}

const lastName = ({ name }: FormField) => name.slice(name.lastIndexOf('.') + 1);

/** The object that a form states; undefined when it states none. @param shown the values with which it came. */
export function objectOf(
  fields: readonly FormField[],
  sent: FormValues,
  shown: FormValues = {},
): Record<string, unknown> | undefined {
  const entries = fields.flatMap((field) => {
    const value = enteredValue(field, sent, shown);
    return value === undefined ? [] : [[lastName(field), value] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** A value in one line. */
export function valueText(value: unknown): string {
  if (value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && !value.some(isObject)) return value.length === 0 ? 'empty' : value.join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

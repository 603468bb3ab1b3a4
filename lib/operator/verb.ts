import type { Method } from '../../functions/shared/contract/route.ts';

/** An option of a verb, and the request field that it sets. */
export interface Option {
  /**
   * `flag`: `--active` or `--no-active`. `list`: may be repeated. `json`: JSON, or `@` and the name of a JSON
   * file.
   */
  readonly type: 'text' | 'number' | 'flag' | 'list' | 'json';
  readonly field: string;
  readonly help: string;
  readonly required?: true;
  readonly oneOf?: readonly string[];
}

/** Reads what the request changes. */
type Read = () => Promise<unknown>;

/** A command that sends one request. Help, argument parsing, requests and tests are derived from it. */
export interface Verb {
  /** `key revoke` */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  readonly method: Method;
  /** The `{name}` parameters are the verb's positional arguments, in order. */
  readonly path: `/api/${string}`;
  /**
   * A verb of an application: its first argument, before those of the path, is the id of the application that the operator
   * acts for. It is sent in a header.
   */
  readonly actsFor?: 'application';
  /** A field of the request that the last positional argument sets: the name of the argument, and the field. */
  readonly argument?: { readonly name: string; readonly field: string };
  /** They set the fields of the body, or the query parameters of a GET. */
  readonly options?: Readonly<Record<string, Option>>;
  /** Flags of which at least one has to be set. */
  readonly atLeastOne?: readonly string[];
  /** Constant fields of the body. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** The question to confirm before the request is sent, or how it follows from the fields of the request. */
  readonly confirmation?: string | ((fields: Readonly<Record<string, unknown>>) => string);
  /** Shows the changes that the request makes, before the question. */
  readonly preview?: (input: Readonly<Record<string, unknown>>, read: Read) => Promise<string>;
  /** Shown after the response. */
  readonly note?: string;
}

/**
 * The names of the path parameters. The registry's parser would load every contract: a start takes 0.4 seconds without, and 1.7 with it.
 */
function pathParameterNames(path = ''): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

/** The names of a verb's positional arguments, in order. */
export function argumentNames({
  path,
  actsFor,
  argument,
}: Pick<Verb, 'actsFor' | 'argument'> & { path?: string }): string[] {
  return [actsFor, ...pathParameterNames(path), argument?.name].filter((name) => name !== undefined);
}

/** Options, by the type of their values. Each takes the request field that it sets, and its help. */
const option =
  (type: Option['type'], more: Pick<Option, 'required' | 'oneOf'> = {}) =>
  (field: string, help: string): Option => ({ type, field, help, ...more });
export const text = option('text');
export const requiredText = option('text', { required: true });
export const number = option('number');
export const requiredNumber = option('number', { required: true });
export const flag = option('flag');
export const requiredFlag = option('flag', { required: true });
export const list = option('list');
export const requiredList = option('list', { required: true });
export const json = option('json');
export const oneOf = (...values: string[]) => option('text', { oneOf: values });
export const requiredOneOf = (...values: string[]) => option('text', { required: true, oneOf: values });

/** The options of a list. @param records that a page has. */
export const pages = (records: string, cursorOf = 'next page') => ({
  limit: number('limit', `maximum number of ${records}`),
  cursor: text('cursor', `cursor of the ${cursorOf}`),
});

/** The media types of formats other than JSON. The header `Accept` asks for `csv`, and the parameter `format` for another one. */
export const mediaTypes: ReadonlyMap<string, string> = new Map([
  ['csv', 'text/csv'],
  ['hledger', 'text/plain'],
  ['datev', 'text/csv'],
]);
export const formats = (...names: string[]) => ({
  format: oneOf(...names)('format', 'prints a page in this format, as it is received'),
});

/** The operator acts for the application that the first argument names, in a header. */
export const forApplication = { actsFor: 'application' } as const;

import { readFileSync } from 'node:fs';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { defined } from '../../functions/shared/contract/defined.ts';
import { argumentNames, type Option, type Verb } from './verb.ts';

/** The arguments and options of a verb. */
interface Signature extends Pick<Verb, 'actsFor' | 'argument'> {
  path?: string;
  options?: Readonly<Record<string, Option>>;
  atLeastOne?: readonly string[];
}

/** The command line is invalid. The message never repeats a value, because it may be secret. */
export class UsageError extends Error {}

/** Options of every verb. */
const commonOptions = {
  url: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  yes: { type: 'boolean', short: 'y' },
} as const satisfies ParseArgsOptionsConfig;

/** The parsed arguments of a command. */
export interface ParsedArguments {
  help: boolean;
  json: boolean;
  yes: boolean;
  url?: string;
  /** By the names of the path parameters; `application` also for a verb that acts for one. */
  path: Record<string, string>;
  /** By the names of the request's fields. */
  fields: Record<string, unknown>;
}

/**
 * Parses the arguments that follow a verb.
 *
 * @throws UsageError
 */
export function parseArguments(verb: Signature, args: readonly string[]): ParsedArguments {
  const options = verb.options ?? {};
  const config: ParseArgsOptionsConfig = { ...commonOptions };
  for (const [name, { type }] of Object.entries(options)) {
    config[name] = type === 'flag' ? { type: 'boolean' } : { type: 'string', multiple: type === 'list' };
  }
  const { values, positionals } = parse(args, config);
  const common = {
    help: values.help === true,
    json: values.json === true,
    yes: values.yes === true,
    ...defined({ url: typeof values.url === 'string' ? values.url : undefined }),
  };
  if (common.help) return { ...common, path: {}, fields: {} };
  const missing = Object.entries(options).filter(([name, one]) => one.required && values[name] === undefined);
  if (missing.length > 0) {
    throw new UsageError(`Missing: ${missing.map(([name, one]) => optionName(name, one)).join(', ')}`);
  }
  const { atLeastOne } = verb;
  if (atLeastOne?.every((name) => values[name] !== true)) {
    throw new UsageError(`Use at least one of ${atLeastOne.map((name) => `--${name}`).join(', ')}.`);
  }
  const fields = Object.entries(options)
    .filter(([name]) => values[name] !== undefined)
    .map(([name, one]) => [one.field, fieldValue(name, one, values[name])]);
  return { ...common, path: pathParameters(verb, positionals), fields: Object.fromEntries(fields) };
}

/** `--kind`, or `--active | --no-active`. */
export function optionName(name: string, { type }: Pick<Option, 'type'>): string {
  return type === 'flag' ? `--${name} | --no-${name}` : `--${name}`;
}

/** The first sentence of Node.js's message names the invalid option, and no value. */
function parse(args: readonly string[], options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('. ', 1)[0] : undefined);
  }
}

function pathParameters(verb: Signature, positionals: readonly string[]): Record<string, string> {
  const names = argumentNames(verb);
  const missing = names.slice(positionals.length);
  if (missing.length > 0) throw new UsageError(`Missing: ${missing.map((name) => `<${name}>`).join(' ')}`);
  if (positionals.length > names.length) throw new UsageError('There is an argument too many.');
  if (positionals.includes('')) throw new UsageError('An argument is empty.');
  return Object.fromEntries(names.map((name, i) => [name, positionals[i] ?? '']));
}

function fieldValue(name: string, { type, oneOf }: Option, value: unknown): unknown {
  const text = String(value);
  switch (type) {
    case 'number':
      if (!/^-?\d+(\.\d+)?$/.test(text)) throw new UsageError(`--${name} must be a number.`);
      return Number(text);
    case 'json':
      return parseJson(name, text);
    case 'text':
      if (oneOf && !oneOf.includes(text)) throw new UsageError(`--${name} must be ${oneOf.join(' or ')}.`);
      return text;
    default:
      return value;
  }
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text);
  } catch (error) {
    // The parser's own message quotes the text, which may be secret.
    const reason = error instanceof SyntaxError ? 'is not valid JSON' : 'names a file that cannot be read';
    throw new UsageError(`--${name} ${reason}.`);
  }
}

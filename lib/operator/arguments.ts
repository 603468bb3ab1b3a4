import { readFileSync } from 'node:fs';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { defined } from '../../functions/shared/contract/defined.ts';
import { nearest } from '../../functions/shared/lambda/nearest.ts';
import { utf8Text } from '../client/cli/text.ts';
import type { Option, ParsedArguments, Verb } from './verb.ts';

/** The command line is invalid. The message never repeats a value, because it may be secret. */
export class UsageError extends Error {}

/** The command needs an answer that nobody can give. */
export const noTerminal = (): UsageError =>
  new UsageError('There is no terminal to ask for confirmation. Use --yes to confirm.');

/** Options of every verb. */
export const commonOptions = {
  url: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  yes: { type: 'boolean', short: 'y' },
} as const satisfies ParseArgsOptionsConfig;

/**
 * Parses the arguments that follow a verb.
 *
 * @throws UsageError
 */
export function parseArguments(
  { positionals: named = [], rest, options = {} }: Pick<Verb, 'positionals' | 'rest' | 'options'>,
  args: readonly string[],
): ParsedArguments {
  const own = Object.entries(options);
  const config: ParseArgsOptionsConfig = { ...commonOptions };
  for (const [name, { type }] of own) {
    const isBoolean = type === 'flag' || type === 'switch';
    config[name] = isBoolean ? { type: 'boolean' } : { type: 'string', multiple: type === 'list' };
  }
  const { values, positionals } = parse(args, config);
  const common = {
    help: values.help === true,
    json: values.json === true,
    yes: values.yes === true,
    ...defined({ url: typeof values.url === 'string' ? values.url : undefined }),
  };
  if (common.help) return { ...common, fields: {}, rest: [] };
  const missing = own.filter(([name, one]) => one.required && values[name] === undefined);
  refuseMissing(missing.map(([name, one]) => spellings(name, one).join(' | ')).join(', '));
  refuseMissing(
    named
      .slice(positionals.length)
      .map(({ name }) => `<${name}>`)
      .join(' '),
  );
  const more = positionals.slice(named.length);
  if (more.length > 0 && rest === undefined) throw new UsageError('Too many arguments.');
  if (positionals.includes('')) throw new UsageError('An argument is empty.');
  const given = own.filter(([name]) => values[name] !== undefined);
  const fields = [
    ...named.map(({ field }, i) => [field, positionals[i]]),
    ...given.map(([name, one]) => [one.field, fieldValue(name, one, values[name])]),
  ];
  return { ...common, fields: Object.fromEntries(fields), rest: more };
}

function refuseMissing(names: string): void {
  if (names !== '') throw new UsageError(`Missing: ${names}`);
}

/** `--kind`, or `--active` and `--no-active`. */
export const spellings = (name: string, { type }: Pick<Option, 'type'>): string[] =>
  type === 'flag' ? [`--${name}`, `--no-${name}`] : [`--${name}`];

/** The first sentence of Node.js's message names the invalid option, and no value. */
function parse(args: readonly string[], options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('. ', 1)[0] ?? '') : '';
    const [, unknown] = /^Unknown option '--(?:no-)?([^']+)'/.exec(reason) ?? [];
    const likely = unknown === undefined ? undefined : nearest(unknown, Object.keys(options));
    throw new UsageError(likely === undefined ? reason : `${reason}. Did you mean --${likely}?`);
  }
}

function fieldValue(name: string, { type, oneOf }: Option, value: unknown): unknown {
  const text = String(value);
  if (oneOf && [value].flat().some((one) => !oneOf.includes(String(one)))) {
    throw new UsageError(`--${name} must be ${oneOf.join(' or ')}.`);
  }
  switch (type) {
    case 'number':
      if (!/^-?\d+(\.\d+)?$/.test(text)) throw new UsageError(`--${name} must be a number.`);
      return Number(text);
    case 'json':
      return parseJson(name, text);
    default:
      return value;
  }
}

function parseJson(name: string, text: string): unknown {
  try {
    const json = text.startsWith('@') ? utf8Text(readFileSync(text.slice(1))) : text;
    if (json === undefined)
      throw new UsageError(`--${name} names a file that is not UTF-8; save it as UTF-8.`);
    return JSON.parse(json);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // The parser's own message quotes the text, which may be secret.
    const reason = error instanceof SyntaxError ? 'is not valid JSON' : 'names a file that cannot be read';
    throw new UsageError(`--${name} ${reason}.`);
  }
}

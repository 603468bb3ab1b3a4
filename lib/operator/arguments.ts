import { readFileSync } from 'node:fs';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { type Option, segmentsOf } from './verbs.ts';

/** The arguments and options that a verb takes. */
interface Taken {
  path?: string;
  options?: Readonly<Record<string, Option>>;
}

/** The command was typed wrongly. Its text says how, and repeats no value: one may be secret. */
export class UsageError extends Error {}

/** What every verb takes. */
const commonOptions = {
  url: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  yes: { type: 'boolean', short: 'y' },
} as const satisfies ParseArgsOptionsConfig;

/** A command as it was typed. */
export interface Given {
  help: boolean;
  json: boolean;
  yes: boolean;
  url?: string;
  /** By the names of the path's segments. */
  path: Record<string, string>;
  /** By the names of the request's fields. */
  fields: Record<string, unknown>;
}

/**
 * Reads what follows a verb.
 * @throws UsageError
 */
export function readArguments(verb: Taken, args: readonly string[]): Given {
  const options = verb.options ?? {};
  const config: ParseArgsOptionsConfig = { ...commonOptions };
  for (const [name, { type }] of Object.entries(options)) {
    config[name] =
      type === 'flag' ? { type: 'boolean' } : { type: 'string', ...(type === 'list' && { multiple: true }) };
  }
  const { values, positionals } = parsed(args, config);
  const given = {
    help: values.help === true,
    json: values.json === true,
    yes: values.yes === true,
    ...(typeof values.url === 'string' && { url: values.url }),
  };
  if (given.help) return { ...given, path: {}, fields: {} };
  const missing = Object.entries(options).filter(([name, one]) => one.required && values[name] === undefined);
  if (missing.length > 0) {
    throw new UsageError(`Missing: ${missing.map(([name, one]) => optionName(name, one)).join(', ')}`);
  }
  const fields = Object.entries(options)
    .filter(([name]) => values[name] !== undefined)
    .map(([name, one]) => [one.field, fieldValue(name, one, values[name])]);
  return { ...given, path: pathOf(verb, positionals), fields: Object.fromEntries(fields) };
}

/** `--kind`, or `--active | --no-active`. */
export function optionName(name: string, { type }: Pick<Option, 'type'>): string {
  return type === 'flag' ? `--${name} | --no-${name}` : `--${name}`;
}

/** What Node.js says of a wrong option names the option, and no value. */
function parsed(args: readonly string[], options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('. ', 1)[0] : undefined);
  }
}

function pathOf({ path = '' }: Taken, positionals: readonly string[]): Record<string, string> {
  const names = segmentsOf(path);
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
      return parsedJson(name, text);
    case 'text':
      if (oneOf && !oneOf.includes(text)) throw new UsageError(`--${name} must be ${oneOf.join(' or ')}.`);
      return text;
    default:
      return value;
  }
}

function parsedJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text.startsWith('@') ? readFileSync(text.slice(1), 'utf8') : text);
  } catch (error) {
    // What the parser says quotes the text.
    const reason = error instanceof SyntaxError ? 'is not valid JSON' : 'names a file that cannot be read';
    throw new UsageError(`--${name} ${reason}.`);
  }
}

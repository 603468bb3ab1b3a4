import { type ParseArgsConfig, parseArgs } from 'node:util';
import { usageError } from './cli-error.ts';

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<O extends Options> = ReturnType<
  typeof parseArgs<{ args: string[]; options: O; allowPositionals: true; strict: true }>
>;

export const commonOptions = {
  url: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies Options;

export const passphraseOptions = {
  passphrase: { type: 'boolean' },
  'passphrase-file': { type: 'string' },
} as const satisfies Options;

/**
 * Parses the arguments that follow a command.
 *
 * @throws {CliError} The first sentence of Node.js's message names the option that is wrong, and no value.
 */
export function parseCommand<O extends Options>(args: readonly string[], options: O): Parsed<O> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('. ', 1)[0]?.split('\n', 1)[0] : undefined;
    throw usageError(`${reason ?? 'The options are not valid'}.`);
  }
}

/** The one argument of a command. @throws {CliError} without repeating a value: links contain keys */
export function onlyArgument(positionals: readonly string[], name: string): string {
  const only = positionals[0];
  if (only === undefined || only === '') throw usageError(`Missing: ${name}.`);
  if (positionals.length > 1) throw usageError('There are too many arguments. Put the link in quotes.');
  return only;
}

/** @throws {CliError} unless the text is a number between the two, and a whole one if asked */
export function numberOption(
  name: string,
  text: string | undefined,
  { min, max, whole }: { min: number; max: number; whole: boolean },
): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max && (!whole || Number.isInteger(value))) return value;
  throw usageError(`--${name} must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}.`);
}

/**
 * The address of the API: `--url`; else the one that a link of the service's own page shows (`<api>/s/<shareId>`); else
 * VOUCHSAFE_URL.
 *
 * @throws {CliError}
 */
export function serviceAddress(
  given: string | undefined,
  env: Record<string, string | undefined>,
  link?: string,
): string {
  const own = link === undefined ? undefined : /^(https?:\/\/[^?#]+)\/s\/[^/?#]+(?:[?#]|$)/.exec(link)?.[1];
  const url = given ?? own ?? env.VOUCHSAFE_URL;
  if (url === undefined || url === '') {
    throw usageError('Name the API with --url <url> or VOUCHSAFE_URL, such as https://api.example.com.');
  }
  if (!/^https?:\/\/[^?#]+$/.test(url))
    throw usageError('The address of the API must be an http or https URL.');
  return url;
}

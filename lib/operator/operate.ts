import { isObject } from '../../functions/shared/contract/merge-patch.ts';
import { nearest } from '../../functions/shared/lambda/nearest.ts';
import { CommandFailed, connectionFrom, exitCodeOf, exitCodes, type Failure } from './api.ts';
import { noTerminal, parseArguments, UsageError } from './arguments.ts';
import { generalHelp, verbHelp } from './help.ts';
import { printable, printableJson, readable } from './print.ts';
import type { ParsedArguments, Session, Terminal, Verb } from './verb.ts';
import { completion, completions } from './verbs/completion.ts';
import { verbs as ownVerbs } from './verbs.ts';

/** Every verb. */
export const verbs: readonly Verb[] = [...ownVerbs, completion];

/**
 * Runs a command.
 *
 * @returns the exit code, which tells the kind of a failure: `exitCodes`.
 */
export async function operate(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await carryOut(args, terminal);
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error;
    // A tool whose reader has all that it wants says nothing.
    if (error.failure.code !== 'output_closed') sayError(error.message, error.failure, args, terminal);
    return exitCodeOf(error.failure);
  }
}

async function carryOut(args: readonly string[], terminal: Terminal): Promise<number> {
  const [first = '', second = ''] = args;
  const [ok] = exitCodes.ok;
  if (['-h', '--help', 'help'].includes(first)) {
    await terminal.out(generalHelp(verbs, terminal.columns));
    return ok;
  }
  if (['-v', '--version', 'version'].includes(first)) {
    await terminal.out(`${terminal.version ?? 'unknown'}\n`);
    return ok;
  }
  if (first === 'completion' && second === 'words') {
    await terminal.out(completions(verbs, args.slice(args.indexOf('--') + 1)));
    return ok;
  }
  const found = namedBy(args);
  if (found === undefined) {
    const related = verbs.filter(({ name }) => name.startsWith(`${first} `));
    if (related.length > 0 && args.some((arg) => arg === '-h' || arg === '--help')) {
      await terminal.out(related.map((verb) => verbHelp(verb, terminal.columns)).join('\n'));
      return ok;
    }
    return misused(noVerb(args, related), 'Use --help for more.', args, terminal);
  }
  const { verb, rest } = found;
  try {
    return await runVerb(verb, rest, terminal);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return misused(error.message, `Use ${verb.name} --help for its usage.`, args, terminal);
  }
}

/** The verb that the first one or two words name, and the arguments after them. */
function namedBy(args: readonly string[]): { verb: Verb; rest: readonly string[] } | undefined {
  for (const count of [2, 1]) {
    const typed = args.slice(0, count).join(' ');
    const verb = verbs.find(({ name, alias }) => name === typed || alias === typed);
    if (verb !== undefined) return { verb, rest: args.slice(count) };
  }
  return undefined;
}

/** Why a command line has no verb. It does not repeat what was typed, which may be secret. */
function noVerb([first = '', second = '']: readonly string[], related: readonly Verb[]): string {
  const names = (some: readonly Verb[]) => some.map(({ name }) => name);
  if (first === '') return `Missing command. Objects: ${[...new Set(verbs.map(objectOf))].join(', ')}.`;
  const typed = second.startsWith('-') ? first : `${first} ${second}`.trim();
  const likely = nearest(typed, names(related.length > 0 ? related : verbs));
  if (likely !== undefined) return `There is no such verb. Did you mean ${likely}?`;
  if (related.length > 0) return `There is no such verb: ${names(related).join(', ')}`;
  const object = nearest(first, verbs.map(objectOf));
  return object === undefined
    ? 'There is no such verb.'
    : `There is no such verb. Did you mean ${names(verbs.filter((verb) => objectOf(verb) === object)).join(' or ')}?`;
}

/** The first word of a verb: `user` of `user show`. */
const objectOf = ({ name }: Verb): string => name.split(' ', 1).join();

function misused(message: string, next: string, args: readonly string[], terminal: Terminal): number {
  sayError(message, { code: 'usage', next }, args, terminal, next);
  return exitCodes.usage[0];
}

/**
 * Writes an error to standard error: with `--json` as an object for scripts, otherwise as text.
 *
 * @param hint a line that follows the text.
 */
function sayError(
  message: string,
  failure: Failure,
  args: readonly string[],
  terminal: Terminal,
  ...hint: string[]
): void {
  // The command line may be invalid, and is not parsed then.
  const end = args.indexOf('--');
  const isJson = (end === -1 ? args : args.slice(0, end)).includes('--json');
  const { code, ...rest } = failure;
  const text = [...message.split('\n'), ...hint].map(printable).join('\n');
  terminal.say(`${isJson ? printableJson({ error: { code, message, ...rest } }) : text}\n`);
}

async function runVerb(verb: Verb, args: readonly string[], terminal: Terminal): Promise<number> {
  const parsed = parseArguments(verb, args);
  if (parsed.help) {
    await terminal.out(verbHelp(verb, terminal.columns));
    return exitCodes.ok[0];
  }
  const session = sessionOf(parsed, terminal);
  const result = await verb.run(parsed, session);
  if (result === undefined) {
    const next = 'Answer y to confirm, or use --yes.';
    sayError('Nothing was done.', { code: 'not_confirmed', next }, args, terminal);
    return exitCodes.unexpected[0];
  }
  if ('text' in result) await terminal.out(result.text);
  else await session.show(result.body, result.unseen);
  if (result.note !== undefined && !parsed.json) terminal.say(`\n${result.note}\n`);
  return exitCodes.ok[0];
}

function sessionOf({ json, yes, url }: ParsedArguments, terminal: Terminal): Session {
  return {
    terminal,
    json,
    yes,
    connection: () => connectionFrom(terminal.env, url),
    confirm: async (question) => {
      if (yes) return true;
      if (terminal.ask === undefined) throw noTerminal();
      return /^\s*y(es)?\s*$/i.test(await terminal.ask(`${question} [y/N] `));
    },
    show: (body, unseen) => {
      const shown = json ? terminal.out(`${printableJson(body)}\n`) : showToPeople(body, terminal);
      return unseen === undefined ? shown : shown.catch((error: unknown) => sayUnseen(error, unseen));
    },
  };
}

/** A closed output says it too. @throws CommandFailed with the next step in place of the one that follows from the output. */
function sayUnseen(error: unknown, next: string): never {
  if (!(error instanceof CommandFailed)) throw error;
  const [reason = ''] = error.message.split('\n', 1);
  throw new CommandFailed(`${reason}\n${next}`, { code: 'output_failed', next });
}

/** Warnings and the cursor of the next page go to standard error, so that the output stays what was asked for. */
async function showToPeople(body: unknown, { out, say, columns }: Terminal): Promise<void> {
  const { warnings = [], nextCursor: _, ...rest } = isObject(body) ? body : { value: body };
  await out(`${readable(rest, columns)}\n`);
  for (const one of Array.isArray(warnings) ? warnings : [])
    say(`\nWarning: ${printable(isObject(one) ? String(one.message) : String(one))}\n`);
}

import { isObject } from '../../functions/shared/contract/merge-patch.ts';
import { nearest } from '../../functions/shared/lambda/nearest.ts';
import { CommandFailed, connectionFrom, exitCodeOf, exitCodes } from './api.ts';
import { noTerminal, parseArguments, UsageError } from './arguments.ts';
import { generalHelp, verbHelp } from './help.ts';
import { printable, printableJson, readable } from './print.ts';
import { requestVerbs } from './requests.ts';
import type { ParsedArguments, Session, Terminal, Verb } from './verb.ts';
import { applicationSettings } from './verbs/application-settings.ts';
import { bankImport } from './verbs/bank-import.ts';
import { bootstrap, retire } from './verbs/bootstrap.ts';
import { completion, completions } from './verbs/completion.ts';
import { listDeadLetters, redriveDeadLetters } from './verbs/dead-letters.ts';
import { findVerbs } from './verbs/find.ts';
import { keyRotate } from './verbs/key-rotate.ts';

/** The verbs, those of one object side by side, in the order in which the API has the objects. */
export const verbs: readonly Verb[] = [
  ...Map.groupBy(
    [
      ...requestVerbs,
      applicationSettings,
      keyRotate,
      bankImport,
      ...findVerbs,
      listDeadLetters,
      redriveDeadLetters,
      bootstrap,
      retire,
      completion,
    ],
    objectOf,
  ).values(),
].flat();

/**
 * Runs a command.
 *
 * @returns the exit code, which tells the kind of a failure: `exitCodes`.
 */
export async function operate(args: readonly string[], terminal: Terminal): Promise<number> {
  const answer = answerOf(args, terminal);
  const found = answer === undefined ? namedBy(args) : undefined;
  try {
    if (answer !== undefined) await terminal.out(answer);
    else if (found === undefined) throw new UsageError(noVerb(args));
    else await runVerb(found.verb, found.rest, terminal);
    return exitCodes.ok[0];
  } catch (error) {
    const next =
      found === undefined ? 'Use --help for more.' : `Use ${found.verb.name} --help for its usage.`;
    const known =
      error instanceof UsageError ? new CommandFailed(error.message, { code: 'usage', next }) : error;
    if (!(known instanceof CommandFailed)) throw error;
    // A tool whose reader has all that it wants says nothing.
    if (known.failure.code !== 'output_closed') sayError(known, args, terminal);
    return exitCodeOf(known.failure);
  }
}

/** The answer to a question about the program itself: help, its version, the words of a completion. */
function answerOf(args: readonly string[], { columns, version }: Terminal): string | undefined {
  const [first = '', second = ''] = args;
  if (['-h', '--help', 'help'].includes(first)) return generalHelp(verbs, columns);
  if (['-v', '--version', 'version'].includes(first)) return `${version ?? 'unknown'}\n`;
  if (first === 'completion' && second === 'words')
    return completions(verbs, args.slice(args.indexOf('--') + 1));
  const isHelp = namedBy(args) === undefined && args.some((arg) => arg === '-h' || arg === '--help');
  const related = isHelp ? relatedTo(first) : [];
  return related.length === 0 ? undefined : related.map((verb) => verbHelp(verb, columns)).join('\n');
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

/** The verbs of an object. */
const relatedTo = (object: string) => verbs.filter(({ name }) => name.startsWith(`${object} `));

/** Why a command line has no verb. It does not repeat what was typed, which may be secret. */
function noVerb([first = '', second = '']: readonly string[]): string {
  const names = (some: readonly Verb[]) => some.map(({ name }) => name);
  if (first === '') return `Missing command. Objects: ${[...new Set(verbs.map(objectOf))].join(', ')}.`;
  const related = relatedTo(first);
  const typed = second.startsWith('-') ? first : `${first} ${second}`.trim();
  const likely = nearest(typed, names(related.length > 0 ? related : verbs));
  if (likely !== undefined) return `There is no such verb. Did you mean ${likely}?`;
  if (related.length > 0) return `There is no such verb: ${names(related).join(', ')}`;
  const object = nearest(first, verbs.map(objectOf));
  const others = names(verbs.filter((verb) => objectOf(verb) === object)).join(' or ');
  return `There is no such verb.${others === '' ? '' : ` Did you mean ${others}?`}`;
}

/** The first word of a verb: `user` of `user show`. */
function objectOf({ name }: Verb): string {
  return name.split(' ', 1).join();
}

/** Writes an error to standard error: with `--json` as an object for scripts, otherwise as text. */
function sayError({ message, failure }: CommandFailed, args: readonly string[], terminal: Terminal): void {
  // The command line may be invalid, and is not parsed then.
  const end = args.indexOf('--');
  const isJson = (end === -1 ? args : args.slice(0, end)).includes('--json');
  const { code, ...rest } = failure;
  const lines = [...message.split('\n'), ...(code === 'usage' ? [failure.next] : [])];
  const text = isJson
    ? printableJson({ error: { code, message, ...rest } })
    : lines.map(printable).join('\n');
  terminal.say(`${text}\n`);
}

async function runVerb(verb: Verb, args: readonly string[], terminal: Terminal): Promise<void> {
  const parsed = parseArguments(verb, args);
  if (parsed.help) return terminal.out(verbHelp(verb, terminal.columns));
  const session = sessionOf(parsed, terminal);
  const result = await verb.run(parsed, session);
  if (result === undefined)
    throw new CommandFailed('Nothing was done.', {
      code: 'not_confirmed',
      next: 'Answer y to confirm, or use --yes.',
    });
  if ('text' in result) await terminal.out(result.text);
  else await session.show(result.body, result.unseen);
  if (result.note !== undefined && !parsed.json) terminal.say(`\n${result.note}\n`);
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

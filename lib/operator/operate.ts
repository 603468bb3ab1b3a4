import { defined } from '../../functions/shared/contract/defined.ts';
import { nearest } from '../client/cli/nearest.ts';
import {
  CommandFailed,
  connectionFrom,
  type Failure,
  type Request,
  requireApplicationId,
  send,
} from './api.ts';
import { type ParsedArguments, parseArguments, UsageError } from './arguments.ts';
import { bankImport, importStatement, readStatement, refusedEntries, summaryOf } from './bank-import.ts';
import { bootstrap, createOperatorKey, retire, retireOperatorKey } from './bootstrap.ts';
import { listDeadLetters, readDeadLetters, redrive, redriveDeadLetters } from './dead-letters.ts';
import { generalHelp, type VerbDescription, verbHelp } from './help.ts';
import { printable, printableJson, readable } from './print.ts';
import { mediaTypes, type Verb } from './verb.ts';
import { verbs } from './verbs.ts';

type RunDirectly = (parsed: ParsedArguments, terminal: Terminal) => Promise<Result | undefined>;

/** The verbs that are more than one request to the API, or none. */
export const direct: ReadonlyMap<VerbDescription, RunDirectly> = new Map<VerbDescription, RunDirectly>([
  [bootstrap, runBootstrap],
  [retire, runRetire],
  [listDeadLetters, async ({ fields }) => ({ body: await readDeadLetters(fields) })],
  [redriveDeadLetters, runRedrive],
  [bankImport, runBankImport],
]);

/** The process's environment and terminal. */
export interface Terminal {
  env: Record<string, string | undefined>;
  /** Writes results to standard output. */
  out(text: string): void;
  /** Writes messages to standard error. */
  say(text: string): void;
  /** Asks a question. Undefined when standard input is not a terminal. */
  ask: ((question: string) => Promise<string>) | undefined;
  /** The width of standard output in characters, 80 by default. */
  columns?: number;
  /** Whether standard error is a terminal, on which progress is drawn as one line. */
  redraws?: boolean;
  version?: string;
}

/**
 * Runs a command.
 *
 * @returns the exit code: 0 on success, 1 on failure, 2 when the command line is invalid.
 */
export async function operate(args: readonly string[], terminal: Terminal): Promise<number> {
  const all: VerbDescription[] = [...verbs, ...direct.keys()];
  const [first = '', second = ''] = args;
  if (['-h', '--help', 'help'].includes(first)) {
    terminal.out(generalHelp(all));
    return 0;
  }
  if (['-v', '--version', 'version'].includes(first)) {
    terminal.out(`${terminal.version ?? 'unknown'}\n`);
    return 0;
  }
  const verb = all.find(({ name }) => name === first || name === `${first} ${second}`);
  if (verb === undefined) {
    const related = all.filter(({ name }) => name.startsWith(`${first} `));
    if (related.length > 0 && args.some((arg) => arg === '-h' || arg === '--help')) {
      terminal.out(related.map(verbHelp).join('\n'));
      return 0;
    }
    const next = 'Use --help for more.';
    sayError(noVerb(args, all, related), { code: 'usage', next }, args, terminal, next);
    return 2;
  }
  try {
    return await runVerb(verb, args.slice(verb.name.split(' ').length), terminal);
  } catch (error) {
    if (error instanceof UsageError) {
      const next = `Use ${verb.name} --help for its usage.`;
      sayError(error.message, { code: 'usage', next }, args, terminal, next);
      return 2;
    }
    if (!(error instanceof CommandFailed)) throw error;
    sayError(error.message, error.failure, args, terminal);
    return 1;
  }
}

/** Why a command line has no verb. It does not repeat what was typed, which may be secret. */
function noVerb(
  [first = '', second = '']: readonly string[],
  all: readonly VerbDescription[],
  related: readonly VerbDescription[],
): string {
  const names = (verbs: readonly VerbDescription[]) => verbs.map(({ name }) => name);
  if (first === '') return `Name a verb: ${names(all).join(', ')}`;
  const typed = second.startsWith('-') ? first : `${first} ${second}`.trim();
  const likely = nearest(typed, names(related.length > 0 ? related : all));
  if (likely !== undefined) return `There is no such verb. Did you mean ${likely}?`;
  if (related.length > 0) return `There is no such verb: ${names(related).join(', ')}`;
  const object = nearest(first, names(all).map(objectOf));
  return object === undefined
    ? 'There is no such verb.'
    : `There is no such verb. Did you mean ${names(all.filter(({ name }) => objectOf(name) === object)).join(' or ')}?`;
}

/** The first word of a verb: `user` of `user show`. */
const objectOf = (name: string): string => name.split(' ', 1).join();

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

async function runVerb(verb: VerbDescription, args: readonly string[], terminal: Terminal): Promise<number> {
  const request = verbs.find((one) => one === verb);
  const parsed = parseArguments(verb, args);
  if (parsed.help) {
    terminal.out(verbHelp(verb));
    return 0;
  }
  const result =
    request !== undefined
      ? await sendRequest(request, parsed, terminal)
      : await direct.get(verb)?.(parsed, terminal);
  if (result === undefined) {
    const next = 'Answer y to confirm, or use --yes.';
    sayError('Nothing was done.', { code: 'not_confirmed', next }, args, terminal);
    return 1;
  }
  if ('text' in result) terminal.out(result.text);
  else if (parsed.json) terminal.out(`${printableJson(result.body)}\n`);
  else printForPeople(result.body, terminal);
  if (result.note !== undefined && !parsed.json) terminal.say(`\n${result.note}\n`);
  return 0;
}

/** Warnings go to standard error, so that the output stays what was asked for. */
function printForPeople(body: unknown, { out, say, columns }: Terminal): void {
  const { warnings = [], ...rest } = Object.assign({}, body) as { warnings?: { message: string }[] };
  out(`${readable(rest, columns)}\n`);
  for (const { message } of warnings) say(`\nWarning: ${printable(message)}\n`);
}

type Result = { readonly note?: string | undefined } & (
  | { readonly body: unknown }
  /** A page in a format other than JSON. */
  | { readonly text: string }
);

async function runBootstrap({ fields }: ParsedArguments, { env }: Terminal): Promise<Result> {
  const { keyId, secret } = await createOperatorKey(fields, env);
  return {
    body: { keyId, operatorKey: secret },
    note: 'Store the key now: it is not shown again. Set VOUCHSAFE_OPERATOR_KEY to it.',
  };
}

async function runRedrive({ fields }: ParsedArguments, { env }: Terminal): Promise<Result> {
  const body = await redrive(fields, env, Date.now());
  const note = body.kept.length > 0 ? 'Repeat the command when the timers have run.' : undefined;
  return { body, note };
}

/** Shows the dry run, asks, and imports. */
async function runBankImport(parsed: ParsedArguments, terminal: Terminal): Promise<Result | undefined> {
  const { fields, path, json, yes, url } = parsed;
  const connection = connectionFrom(terminal.env, url);
  const read = await readStatement(connection, { file: path.file ?? '', fields });
  const { _id } = read.statement;
  if (!json) terminal.say(`${readable(summaryOf(read), terminal.columns)}\n\n`);
  if (!yes && !(await confirm(bankImport.confirmation, terminal))) return undefined;
  const redraws = terminal.redraws === true && !json;
  const { body, hasFailed } = await importStatement(connection, _id, fields, {
    say: json ? () => {} : terminal.say,
    redraws,
  });
  if (!hasFailed) return { body };
  terminal.out(`${json ? printableJson(body) : readable(body, terminal.columns)}\n`);
  throw refusedEntries(_id);
}

async function runRetire({ fields, yes }: ParsedArguments, terminal: Terminal): Promise<Result | undefined> {
  if (!yes && !(await confirm(retire.confirmation, terminal))) return undefined;
  await retireOperatorKey(fields, terminal.env);
  return { body: { success: true } };
}

async function sendRequest(
  verb: Verb,
  parsed: ParsedArguments,
  terminal: Terminal,
): Promise<Result | undefined> {
  const connection = connectionFrom(terminal.env, parsed.url);
  const { confirmation } = verb;
  const question = typeof confirmation === 'function' ? confirmation(parsed.fields) : confirmation;
  const request = toRequest(verb, parsed);
  if (question !== undefined && !parsed.yes) {
    const preview =
      terminal.ask &&
      (await verb.preview?.(request.input, () =>
        send(connection, Object.assign({}, request, { method: 'GET' as const, input: parsed.path })),
      ));
    if (preview !== undefined) terminal.say(`${preview}\n`);
    if (!(await confirm(question, terminal))) return undefined;
  }
  if (request.accept !== undefined && parsed.json) throw new UsageError('Use --format or --json.');
  const body = await send(connection, request);
  const { text, nextCursor } = Object(body);
  const note = verb.note ?? nextPage(verb, nextCursor);
  return request.accept === undefined ? { body, note } : { text, note };
}

function nextPage({ options }: Verb, cursor: unknown): string | undefined {
  const option = options?.cursor === undefined ? 'after' : 'cursor';
  return typeof cursor === 'string' ? `For the next page: --${option} ${printable(cursor)}` : undefined;
}

/** @throws UsageError when there is no terminal to ask on. */
async function confirm(question: string, { ask }: Terminal): Promise<boolean> {
  if (ask === undefined)
    throw new UsageError('There is no terminal to ask for confirmation. Use --yes to confirm.');
  return /^\s*y(es)?\s*$/i.test(await ask(`${question} [y/N] `));
}

function toRequest({ method, path, fixed, actsFor, argument }: Verb, parsed: ParsedArguments): Request {
  const application = actsFor && parsed.path[actsFor];
  const applicationId = application && requireApplicationId(application);
  const parameters = Object.entries(parsed.path)
    .filter(([name]) => name !== actsFor)
    .map(([name, one]) => [name === argument?.name ? argument.field : name, one]);
  const { format, ...fields } = parsed.fields;
  const accept = format === undefined ? undefined : mediaTypes.get(String(format));
  const input = {
    ...Object.fromEntries(parameters),
    ...fixed,
    ...fields,
    // The header asks for CSV.
    ...defined({ format: format === 'csv' ? undefined : format }),
  };
  return { method, path, input, ...defined({ applicationId, accept }) };
}

import { accessOf, Refused, type Request, send } from './api.ts';
import { type Given, readArguments, UsageError } from './arguments.ts';
import { bootstrap, makeOperatorKey, retire, retireOperatorKey } from './bootstrap.ts';
import { type Described, generalHelp, verbHelp } from './help.ts';
import { printable, printableJson, readable } from './print.ts';
import { type Verb, verbs } from './verbs.ts';

/** Who sits before the program. */
export interface Terminal {
  env: Record<string, string | undefined>;
  /** Writes what was asked for. */
  out(text: string): void;
  /** Writes what is said beside it. */
  say(text: string): void;
  /** Asks a question; undefined where nobody is there to answer. */
  ask: ((question: string) => Promise<string>) | undefined;
}

/**
 * Does what a command says.
 *
 * @returns the exit code: 0 when it was done, 1 when it was not, 2 when the command is wrong.
 */
export async function operate(args: readonly string[], terminal: Terminal): Promise<number> {
  const all: Described[] = [...verbs, bootstrap, retire];
  const [first = '', second = ''] = args;
  if (['-h', '--help', 'help'].includes(first)) {
    terminal.out(generalHelp(all));
    return 0;
  }
  const verb = all.find(({ name }) => name === first || name === `${first} ${second}`);
  if (verb === undefined) {
    const related = all.filter(({ name }) => name.startsWith(`${first} `));
    if (related.length > 0 && args.some((arg) => arg === '-h' || arg === '--help')) {
      terminal.out(related.map(verbHelp).join('\n'));
      return 0;
    }
    const choice = (related.length > 0 ? related : all).map(({ name }) => name).join(', ');
    terminal.say(
      `${first === '' ? 'What is to be done' : 'There is no such verb'}: ${choice}\n--help says more.\n`,
    );
    return 2;
  }
  try {
    return await done(verb, args.slice(verb.name.split(' ').length), terminal);
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.say(`${error.message}\n${verb.name} --help shows how it is used.\n`);
      return 2;
    }
    if (!(error instanceof Refused)) throw error;
    terminal.say(`${error.message.split('\n').map(printable).join('\n')}\n`);
    return 1;
  }
}

async function done(verb: Described, args: readonly string[], terminal: Terminal): Promise<number> {
  const request = verbs.find((one) => one === verb);
  const given = readArguments(verb, args);
  if (given.help) {
    terminal.out(verbHelp(verb));
    return 0;
  }
  const result =
    request !== undefined
      ? await sent(request, given, terminal)
      : await (verb === retire ? retired : bootstrapped)(given, terminal);
  if (result === undefined) {
    terminal.say('Nothing was done.\n');
    return 1;
  }
  terminal.out(`${given.json ? printableJson(result.body) : readable(result.body)}\n`);
  if (result.note !== undefined && !given.json) terminal.say(`\n${result.note}\n`);
  return 0;
}

interface Result {
  body: unknown;
  note?: string | undefined;
}

async function bootstrapped({ fields }: Given, { env }: Terminal): Promise<Result> {
  const { keyId, secret } = await makeOperatorKey(fields, env);
  return {
    body: { keyId, operatorKey: secret },
    note: 'Keep it now: it is not shown again. Put it into VOUCHSAFE_OPERATOR_KEY.',
  };
}

async function retired({ fields, yes }: Given, terminal: Terminal): Promise<Result | undefined> {
  const question = 'Whoever still uses this key stops working within 20 seconds. Revoke it?';
  if (!yes && !(await agreed(question, terminal))) return undefined;
  await retireOperatorKey(fields, terminal.env);
  return { body: { success: true } };
}

async function sent(verb: Verb, given: Given, terminal: Terminal): Promise<Result | undefined> {
  const access = accessOf(terminal.env, given.url);
  if (verb.asks !== undefined && !given.yes && !(await agreed(verb.asks, terminal))) return undefined;
  const body = await send(access, requestOf(verb, given));
  const { nextCursor } = body as { nextCursor?: unknown };
  const more =
    nextCursor === undefined ? undefined : `There are more: --cursor ${printable(String(nextCursor))}`;
  return { body, note: verb.note ?? more };
}

/** @throws UsageError where nobody can answer. */
async function agreed(question: string, { ask }: Terminal): Promise<boolean> {
  if (ask === undefined) throw new UsageError('There is no terminal to ask at: add --yes to do it unasked.');
  return /^\s*y(es)?\s*$/i.test(await ask(`${question} [y/N] `));
}

function requestOf({ method, path, fixed }: Verb, { path: segments, fields }: Given): Request {
  const target = path.replaceAll(/\{([\w-]+)\}/g, (_, name) => encodeURIComponent(segments[name] ?? ''));
  if (method === 'DELETE') return { method, target };
  if (method !== 'GET') return { method, target, body: { ...fixed, ...fields } };
  const query = new URLSearchParams(
    Object.entries(fields).map(([name, one]): [string, string] => [name, String(one)]),
  );
  return { method, target: query.size > 0 ? `${target}?${query}` : target };
}

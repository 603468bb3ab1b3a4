import { parseArgs } from 'node:util';
import { parseAddress } from '../operator/address.ts';
import { connectionFrom } from '../operator/api.ts';
import { printable, printableJson } from '../operator/print.ts';
import { Absent, type Check, checks, Skipped } from './checks.ts';
import { RateLimited, type Target } from './target.ts';

/** The process's environment and output. */
export interface SmokeProcess {
  env: Record<string, string | undefined>;
  /** Writes the results to standard output. */
  out(text: string): void;
  /** Writes messages to standard error. */
  say(text: string): void;
}

/** The result of one check. */
interface Result {
  name: string;
  outcome: 'passed' | 'failed' | 'skipped';
  /** Why it failed or was skipped. */
  reason?: string;
  /** The next action after a failure. */
  next?: string;
  /** Whether it failed because Vouchsafe is not at the address. */
  isAbsent?: true;
}

const help = `Checks a deployment, or the local stack.

Usage: npm run -s smoke -- <url> [options]

  <url>                    address of the API: the output Url of the stack, or http://localhost:3000
  --operator-key           also reads an application, with the operator key in VOUCHSAFE_OPERATOR_KEY;
                           over https only, except to this machine
  --application <id>       the application to read (app_...), with --operator-key; without it the key alone is
                           checked
  --json                   prints the results as JSON
  -h, --help               shows this help

It stores one share and opens it, and changes nothing else. When Vouchsafe is not at the address, the other checks
are skipped.

Exit codes: 0 all checks passed or were skipped, 1 a check failed, 2 invalid command line.
`;

/** Runs the checks. @returns the exit code. */
export async function smoke(args: readonly string[], { env, out, say }: SmokeProcess): Promise<number> {
  const parsed = parse(args, env);
  if (parsed === 'help') {
    out(help);
    return 0;
  }
  if (typeof parsed === 'string') {
    say(`${parsed}\nUse --help for the usage.\n`);
    return 2;
  }
  const { target, json } = parsed;
  const results: Result[] = [];
  for (const check of checks) {
    const result = skippedAfter(results, check) ?? (await runCheck(check, target));
    results.push(result);
    if (!json && !(isAbsentFrom(results) && result.outcome === 'skipped')) out(line(result));
  }
  const failed = results.filter(({ outcome }) => outcome === 'failed').length;
  const others = isAbsentFrom(results) ? ' The others were skipped.' : '';
  if (json) {
    const shown = results.map(({ isAbsent: _, ...result }) => result);
    out(`${printableJson({ url: target.url, passed: failed === 0, checks: shown })}\n`);
  } else {
    const count = `${failed} of ${results.length} checks failed.`;
    say(failed === 0 ? 'The deployment works.\n' : `${count}${others}\n`);
  }
  return failed === 0 ? 0 : 1;
}

const isAbsentFrom = ([first]: readonly Result[]) => first?.isAbsent === true;

/** @returns the result of a check that the result of the first one makes pointless, or unsafe. */
function skippedAfter(results: readonly Result[], { name, sendsKey }: Check): Result | undefined {
  const [first] = results;
  if (first?.isAbsent) return { name, outcome: 'skipped', reason: 'Vouchsafe is not at this address' };
  if (first?.outcome !== 'failed' || !sendsKey) return undefined;
  return { name, outcome: 'skipped', reason: 'no key is sent to a server that fails the first check' };
}

async function runCheck({ name, next, run }: Check, target: Target): Promise<Result> {
  try {
    const findings = await run(target);
    return findings.length === 0
      ? { name, outcome: 'passed' }
      : { name, outcome: 'failed', reason: findings.join('; '), next };
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof Skipped) return { name, outcome: 'skipped', reason: message };
    if (error instanceof Absent) return { name, outcome: 'failed', reason: message, next, isAbsent: true };
    return {
      name,
      outcome: 'failed',
      reason: message,
      next: error instanceof RateLimited ? error.next : next,
    };
  }
}

/** One line. The reason may quote the server. */
function line({ name, outcome, reason, next }: Result): string {
  const why = reason === undefined ? '' : `: ${reason}`;
  const then = next === undefined ? '' : `. Next: ${next}`;
  return `${printable(`${outcome.padEnd(7)} ${name}${why}${then}`)}\n`;
}

/** @returns the target, `help`, or what is wrong with the command line. */
function parse(
  args: readonly string[],
  env: SmokeProcess['env'],
): { target: Target; json: boolean } | string {
  const options = {
    'operator-key': { type: 'boolean' },
    application: { type: 'string' },
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    if (values.help) return 'help';
    const [address = '', ...others] = positionals;
    const url = parseAddress(address);
    if (others.length > 0 || url === undefined) return 'Name one address, such as https://api.example.com';
    const { application: applicationId } = values;
    if (applicationId === '') return '--application is empty';
    if (applicationId !== undefined && !values['operator-key']) return '--application needs --operator-key';
    const operatorKey = values['operator-key'] ? connectionFrom(env, url).key : undefined;
    return { target: { url, operatorKey, applicationId }, json: values.json === true };
  } catch (error) {
    return (error as Error).message;
  }
}

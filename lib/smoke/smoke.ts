import { parseArgs } from 'node:util';
import { parseAddress } from '../operator/address.ts';
import { connectionFrom } from '../operator/api.ts';
import { printable } from '../operator/print.ts';
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
  --operator-key           also checks the operator key in VOUCHSAFE_OPERATOR_KEY;
                           over https only, except to this machine
  -h, --help               shows this help

It stores one share and opens it, and changes nothing else. When Vouchsafe is not at the address, the other checks
are skipped.

Exit codes: 0 all checks passed or were skipped, 1 a check failed, 2 invalid command line.
`;

/** Runs the checks. @returns the exit code. */
export async function smoke(args: readonly string[], { env, out, say }: SmokeProcess): Promise<number> {
  const target = parse(args, env);
  if (target === 'help') {
    out(help);
    return 0;
  }
  if (typeof target === 'string') {
    say(`${target}\nUse --help for the usage.\n`);
    return 2;
  }
  const results: Result[] = [];
  for (const check of checks) {
    const isUnsafe = check.sendsKey && results[0]?.outcome === 'failed';
    const result = isUnsafe ? keyWithheld : await runCheck(check, target);
    results.push(result);
    out(line(check.name, result));
    if (result.isAbsent) break;
  }
  const failed = results.filter(({ outcome }) => outcome === 'failed').length;
  const others = results.length < checks.length ? ' The others were skipped.' : '';
  say(failed === 0 ? 'The deployment works.\n' : `${failed} of ${checks.length} checks failed.${others}\n`);
  return failed === 0 ? 0 : 1;
}

const keyWithheld: Result = {
  outcome: 'skipped',
  reason: 'no key is sent to a server that fails the first check',
};

async function runCheck({ next, run }: Check, target: Target): Promise<Result> {
  try {
    const findings = await run(target);
    return findings.length === 0
      ? { outcome: 'passed' }
      : { outcome: 'failed', reason: findings.join('; '), next };
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof Skipped) return { outcome: 'skipped', reason: message };
    if (error instanceof Absent) return { outcome: 'failed', reason: message, next, isAbsent: true };
    return {
      outcome: 'failed',
      reason: message,
      next: error instanceof RateLimited ? error.next : next,
    };
  }
}

/** One line. The reason may quote the server. */
function line(name: string, { outcome, reason, next }: Result): string {
  const why = reason === undefined ? '' : `: ${reason}`;
  const then = next === undefined ? '' : `. Next: ${next}`;
  return `${printable(`${outcome.padEnd(7)} ${name}${why}${then}`)}\n`;
}

/** @returns the target, `help`, or the problem with the command line. */
function parse(args: readonly string[], env: SmokeProcess['env']): Target | string {
  const options = { 'operator-key': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    if (values.help) return 'help';
    const [address = '', ...others] = positionals;
    const url = parseAddress(address);
    if (others.length > 0 || url === undefined) return 'Name one address, such as https://api.example.com';
    return { url, operatorKey: values['operator-key'] ? connectionFrom(env, url).key : undefined };
  } catch (error) {
    return (error as Error).message;
  }
}

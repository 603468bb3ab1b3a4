import { parseArgs } from 'node:util';
import { connectionFrom, parseAddress } from '../operator/api.ts';
import { printable } from '../operator/print.ts';
import { Absent, type Check, checks, Skipped, type Target } from './checks.ts';
import { RateLimited } from './request.ts';

/** The process's environment and output. */
export interface SmokeProcess {
  env: Record<string, string | undefined>;
  /** Writes the results to standard output. */
  out(text: string): void;
  /** Writes messages to standard error. */
  say(text: string): void;
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
  let isVouchsafe: boolean | undefined;
  let failed = 0;
  for (const check of checks) {
    const problem = check.sendsKey && !isVouchsafe ? keyWithheld : await problemOf(check, target);
    // The first check says whether the server is Vouchsafe.
    isVouchsafe ??= problem === undefined;
    if (problem !== undefined && !(problem instanceof Skipped)) failed += 1;
    // The reason may quote the server.
    out(`${printable(line(check, problem))}\n`);
    if (problem instanceof Absent) {
      say(`1 of ${checks.length} checks failed. The others were skipped.\n`);
      return 1;
    }
  }
  say(failed === 0 ? 'The deployment works.\n' : `${failed} of ${checks.length} checks failed.\n`);
  return failed === 0 ? 0 : 1;
}

const keyWithheld = new Skipped('no key is sent to a server that fails the first check');

async function problemOf({ run }: Check, target: Target): Promise<Error | undefined> {
  try {
    const findings = (await run(target)).filter((one) => one !== undefined);
    return findings.length === 0 ? undefined : new Error(findings.join('; '));
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function line({ name, next }: Check, problem: Error | undefined): string {
  if (problem === undefined) return `passed  ${name}`;
  if (problem instanceof Skipped) return `skipped ${name}: ${problem.message}`;
  const then =
    problem instanceof RateLimited ? `Wait ${problem.retryAfter}, then run the checks again.` : next;
  return `failed  ${name}: ${problem.message}. Next: ${then}`;
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
    return error instanceof Error ? error.message : String(error);
  }
}

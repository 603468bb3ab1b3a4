import { parseArgs } from 'node:util';
import { type Check, checks, Skipped } from './checks.ts';
import type { Target } from './target.ts';

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
  /** What to do when it failed. */
  next?: string;
}

const help = `Checks a deployment, or the local stack.

Usage: npm run -s smoke -- <url> [options]

  <url>                    address of the API: the output Url of the stack, or http://localhost:3000
  --operator-key           also reads an application, with the operator key in VOUCHSAFE_OPERATOR_KEY
  --application <id>       the application to read (app_...); without it the key alone is checked
  --json                   prints the results as JSON
  -h, --help               shows this help

It stores one share and opens it, and changes nothing else.

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
  const results: Result[] = [];
  for (const check of checks) {
    const result = await runCheck(check, parsed.target);
    results.push(result);
    if (!parsed.json) out(line(result));
  }
  const failed = results.filter(({ outcome }) => outcome === 'failed').length;
  if (parsed.json)
    out(`${JSON.stringify({ url: parsed.target.url, passed: failed === 0, checks: results }, null, 2)}\n`);
  else say(failed === 0 ? 'The deployment works.\n' : `${failed} of ${results.length} checks failed.\n`);
  return failed === 0 ? 0 : 1;
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
    return { name, outcome: 'failed', reason: message, next };
  }
}

function line({ name, outcome, reason, next }: Result): string {
  const why = reason === undefined ? '' : `: ${reason}`;
  const then = next === undefined ? '' : `. Next: ${next}`;
  return `${outcome.padEnd(7)} ${name}${why}${then}\n`;
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
    if (others.length > 0 || !/^https?:$/.test(URL.parse(address)?.protocol ?? '')) {
      return 'Name one address, such as https://api.example.com';
    }
    const operatorKey = values['operator-key'] ? (env.VOUCHSAFE_OPERATOR_KEY ?? '') : undefined;
    if (operatorKey === '') return 'VOUCHSAFE_OPERATOR_KEY is not set';
    const url = address.replace(/\/+$/, '');
    return {
      target: { url, operatorKey, applicationId: values.application },
      json: values.json === true,
    };
  } catch (error) {
    return (error as Error).message;
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { operate } from '../../../../lib/operator/operate.ts';
import type { Terminal } from '../../../../lib/operator/verb.ts';
import { stackOfWorker } from '../../../support/subscriptions/stack.ts';

type Environment = Terminal['env'];

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

const project = join(import.meta.dirname, '../../../..');

/** Runs a command as the program does, in this process, which is faster. Without `ask` there is no terminal. */
export async function operateHere(
  args: readonly string[],
  env: Environment,
  ask?: Terminal['ask'],
): Promise<Ran> {
  const ran: Ran = { code: null, out: '', err: '' };
  ran.code = await operate(args, {
    env,
    out: async (text) => {
      ran.out += text;
    },
    say: (text) => {
      ran.err += text;
    },
    ask,
  });
  return ran;
}

/** Runs the program as a process without a terminal. */
export async function runProgram(args: readonly string[], env: Environment): Promise<Ran> {
  const child = spawn(process.execPath, ['bin/operator.ts', ...args], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ran: Ran = { code: null, out: '', err: '' };
  child.stdout.on('data', (chunk) => {
    ran.out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    ran.err += chunk;
  });
  const [code] = await once(child, 'close');
  ran.code = code;
  return ran;
}

/** The operator of the local stack of this worker, with its demo data. */
export async function localOperator() {
  const stack = await stackOfWorker();
  const demo = await stack.demo();
  const env = { VOUCHSAFE_URL: stack.url, VOUCHSAFE_OPERATOR_KEY: String(demo.operatorKey) };
  return {
    env,
    applicationId: String(demo.applications.offline._id),
    otherApplicationId: String(demo.applications.gateway._id),
    tableName: stack.tableName,
    /** The time of the stack, which other tests have moved. */
    now: stack.now,
    /** Runs a command with an answer to its question, if there is a terminal. */
    run: (args: readonly string[], answer?: string, more: Environment = {}) =>
      operateHere(args, Object.assign({}, env, more), answer === undefined ? undefined : async () => answer),
    /** Runs a command that succeeds. @returns what it prints with `--json`. */
    json: async (args: readonly string[], more: Environment = {}) => {
      const { code, out, err } = await operateHere([...args, '--json'], Object.assign({}, env, more));
      if (code !== 0 || err !== '') throw new Error(`${args.join(' ')} ended with ${code}: ${err}`);
      return JSON.parse(out);
    },
  };
}

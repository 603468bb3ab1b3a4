import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { operate, type Terminal } from '../../../../lib/operator/operate.ts';

type Environment = Terminal['env'];

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

export const project = join(import.meta.dirname, '../../../..');

/** Runs a command as the program does, in this process, which is faster. Without `ask` there is no terminal. */
export async function operateHere(
  args: readonly string[],
  env: Environment,
  ask?: Terminal['ask'],
): Promise<Ran> {
  const ran: Ran = { code: null, out: '', err: '' };
  ran.code = await operate(args, {
    env,
    out: (text) => {
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

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { runCommand } from '../../../../../lib/client/cli/cli.ts';
import type { Consumer } from '../install.ts';

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

export interface RunOptions {
  /** Standard input; empty by default. */
  input?: string | Uint8Array;
  env?: Record<string, string>;
  cwd?: string;
}

/** The installed program, run as a process without a terminal. */
export function installedProgram(consumer: Consumer, apiUrl: string) {
  return async (args: readonly string[], { input = '', env = {}, cwd }: RunOptions = {}): Promise<Ran> => {
    const child = spawn(process.execPath, [join(consumer.installed, 'dist/cli.js'), ...args], {
      cwd: cwd ?? consumer.directory,
      env: { PATH: process.env.PATH, VOUCHSAFE_URL: apiUrl, ...env },
      // A session of its own has no terminal, also where the tests have one.
      detached: true,
      stdio: 'pipe',
    });
    const ran: Ran = { code: null, out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      ran.out += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      ran.err += chunk;
    });
    // A program that reads no input closes it.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    const [code] = await once(child, 'close');
    ran.code = code;
    return ran;
  };
}

/** The program in this process, as one that has no terminal: what it does between its streams is the same. */
export function programHere(apiUrl: string) {
  return async (
    args: readonly string[],
    { input = '', env = {} }: Pick<RunOptions, 'input' | 'env'> = {},
  ): Promise<Ran> => {
    const ran: Ran = { code: null, out: '', err: '' };
    const io = {
      env: { VOUCHSAFE_URL: apiUrl, ...env },
      stdin: Readable.from(input.length === 0 ? [] : [Buffer.from(input)]),
      out: async (content: string) => {
        ran.out += content;
      },
      outIsTerminal: false,
      say: (text: string) => {
        ran.err += text;
      },
      sayIsTerminal: false,
      onInterrupt: () => () => {},
      terminal: undefined,
    };
    ran.code = await runCommand(args, io, '0.0.0');
    return ran;
  };
}

import { openSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { type Readable, Writable } from 'node:stream';
import { ReadStream, WriteStream } from 'node:tty';
import { CliError } from './cli-error.ts';
import type { Terminal } from './io.ts';

/**
 * The terminal of the process, also when standard input or output is a pipe. Undefined when the process has none, as in CI.
 */
export function openTerminal(): Terminal | undefined {
  if (!hasTerminal()) return undefined;
  return {
    ask: (question) => onTerminal((input, output) => ask(question, input, output)),
    askSecret: (question) => onTerminal((input, output) => askSecret(question, input, output)),
  };
}

/** Asks a question and returns the line that is typed; an empty one at the end of input. */
export function ask(question: string, input: Readable, output: Writable): Promise<string> {
  return typedLine(question, input, output);
}

/** The same, and shows nothing of what is typed. */
export async function askSecret(question: string, input: Readable, output: Writable): Promise<string> {
  output.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    return await typedLine('', input, nowhere);
  } finally {
    output.write('\n');
  }
}

/** @throws {CliError} when it is interrupted with Ctrl-C */
function typedLine(prompt: string, input: Readable, output: Writable): Promise<string> {
  const lines = createInterface({ input, output, prompt, terminal: true, historySize: 0 });
  return new Promise<string>((resolve, reject) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
    lines.once('SIGINT', () => reject(new CliError('Cancelled.')));
    lines.prompt();
  }).finally(() => lines.close());
}

const device = '/dev/tty';

function hasTerminal(): boolean {
  try {
    new ReadStream(openSync(device, 'r')).destroy();
    return true;
  } catch {
    // Windows has no such file.
    return process.stdin.isTTY === true && process.stderr.isTTY === true;
  }
}

async function onTerminal<T>(work: (input: Readable, output: Writable) => Promise<T>): Promise<T> {
  let input: ReadStream;
  let output: WriteStream;
  try {
    input = new ReadStream(openSync(device, 'r'));
    output = new WriteStream(openSync(device, 'w'));
  } catch {
    return work(process.stdin, process.stderr);
  }
  try {
    return await work(input, output);
  } finally {
    input.destroy();
    output.destroy();
  }
}

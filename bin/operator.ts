import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { operate } from '../lib/operator/operate.ts';
import { outputTo } from '../lib/operator/output.ts';
import packageJson from '../package.json' with { type: 'json' };

// A closed pipe is an error of the write, not of the process.
process.stderr.on('error', () => {});

/** Asks on standard error, because standard output may be a pipe. */
async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // Ctrl-D and Ctrl-C count as an empty reply.
    const ended = once(lines, 'close').then(() => '');
    return await Promise.race([lines.question(question).catch(() => ''), ended]);
  } finally {
    lines.close();
  }
}

process.exitCode = await operate(process.argv.slice(2), {
  env: process.env,
  out: outputTo(process.stdout),
  say: (text) => process.stderr.write(text),
  ask: process.stdin.isTTY ? ask : undefined,
  columns: process.stdout.columns ?? 80,
  redraws: process.stderr.isTTY === true,
  version: packageJson.version,
});

/** The program `vouchsafe-client`. build.ts makes one file of it, which needs nothing but Node.js. */
import packageJson from '../package.json' with { type: 'json' };
import { runCommand } from './cli.ts';
import { openTerminal } from './terminal.ts';

// A closed pipe is an error of the write, not of the process.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

process.exitCode = await runCommand(
  process.argv.slice(2),
  {
    env: process.env,
    stdin: process.stdin,
    out: (content) =>
      new Promise((resolve, reject) => {
        process.stdout.write(content, (error) => (error ? reject(error) : resolve()));
      }),
    outIsTerminal: process.stdout.isTTY === true,
    say: (text) => process.stderr.write(text),
    sayIsTerminal: process.stderr.isTTY === true,
    onInterrupt: (listener) => {
      process.once('SIGINT', listener);
      return () => process.off('SIGINT', listener);
    },
    terminal: openTerminal(),
  },
  packageJson.version,
);

import { relative } from 'node:path';
import { DataDirectoryInUse } from '../lib/local/state.ts';
import packageJson from '../package.json' with { type: 'json' };

if (['-v', '--version'].includes(process.argv[2] ?? '')) {
  process.stdout.write(`${packageJson.version}\n`);
  process.exit();
}

const say = (line: string) => process.stdout.write(`${line}\n`);

function fail(reason: string): never {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}

const portText = process.env.PORT || '3000';
const port = /^\d{1,5}$/.test(portText) ? Number(portText) : Number.NaN;
if (!(port <= 65_535))
  fail(`PORT=${portText} is no port: take one from 1 to 65535, such as PORT=3000 npm start`);
const nextPort = port < 65_535 ? Math.max(port, 3000) + 1 : 3000;
const dataDir = process.env.DATA_DIR || '.local';

function describeError(error: unknown): string {
  if (error instanceof DataDirectoryInUse) {
    return `${error.message} Stop that stack, or start a second one: PORT=${nextPort} DATA_DIR=.local-2 npm start`;
  }
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return `Port ${port} is taken. Use another one: PORT=${nextPort} npm start`;
  }
  if (code === 'EACCES' && port < 1024 && port > 0) {
    return `Port ${port} needs special rights. Use another one: PORT=3000 npm start`;
  }
  return error instanceof Error ? error.message : String(error);
}

let ending = false;
let stop = async () => {};
const end = async () => {
  // A second Ctrl-C does not wait.
  if (ending) process.exit(0);
  ending = true;
  await stop().catch((error: unknown) => process.stderr.write(`${error}\n`));
  process.exit(0);
};
process.on('SIGINT', end).on('SIGTERM', end).on('SIGHUP', end);
// A promise that a handler leaves behind must not end the stack.
process.on('unhandledRejection', (error) => process.stderr.write(`Unhandled rejection: ${error}\n`));

// Loaded now, because it is the whole project: what is refused above is refused at once.
const { startStack } = await import('../lib/local/stack.ts');
const stack = await startStack({ port, dataDir, env: process.env, log: say }).catch((error) =>
  fail(describeError(error)),
);
stop = stack.stop;
if (ending) await stop();

const url = stack.url.replace('127.0.0.1', 'localhost');
say(`
Vouchsafe runs at ${url}

  ${url}/s               share a secret
  ${url}/account         devices and applications of a user
  ${url}/_local/billing  the billing page of a demo subscription
  ${url}/docs            API reference
  ${url}/_local/webhooks the events that the API delivers to the demo applications
  ${url}/_local          people to sign in as, clock, mailbox and demo data
  ${dataDir === ':memory:' ? 'nothing is kept when it ends' : `data in ${relative('.', dataDir) || '.'}`}

A first request to paste: stores a secret, then opens it.

  id=$(curl -s ${url}/api/share -H 'content-type: application/json' \\
    -d '{"data_blob":"SGVsbG8","iv":"AAECAwQFBgcICQoL"}' | sed 's/.*"shareId":"\\([^"]*\\)".*/\\1/')
  curl "${url}/api/share?id=$id"

Ctrl-C ends everything.
`);

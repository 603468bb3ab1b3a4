import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';

/** Variables that a server sets for itself. Those of this process are for another stack. */
const ownVariables =
  /^(AWS_ENDPOINT_URL_|AWS_ACCESS_KEY_ID$|TABLE_NAME$|TEST_|FILES_DIR$|MAIL_|TIMER_|STRIPE_|DEPLOYMENT_KEY_SECRET$)/;

/** The environment of a process that has a stack of its own. */
function ownEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !ownVariables.test(name)));
}

/**
 * Starts `npm start` in a process of its own, with data in memory, and waits until it is ready.
 *
 * @param options.imports modules that are loaded before it.
 */
export async function startServer({
  env = {},
  imports = [],
}: {
  env?: Record<string, string>;
  imports?: readonly string[];
} = {}): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort();
  const program = join(import.meta.dirname, '../../bin/local.ts');
  const child = spawn(process.execPath, [...imports.flatMap((file) => ['--import', file]), program], {
    env: { ...ownEnvironment(), ...env, PORT: String(port), DATA_DIR: ':memory:' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  // A minute, for a machine that is busy.
  for (let i = 0; i < 2_400 && child.exitCode === null; i += 1) {
    const health = await fetch(`${url}/_local/health`).catch(() => undefined);
    if (health?.ok) return { child, url };
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  child.kill('SIGTERM');
  throw new Error('The local stack did not get ready');
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { dayMs } from '../../functions/shared/runtime/duration.ts';
import { comparingResponses } from '../support/documentation/module.ts';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
/** The examples, in the order in which a reader pastes them into one shell. */
const examples = [...readme.slice(readme.indexOf('## Try it')).matchAll(/```sh\n([\s\S]*?)```/g)].map(
  ([, script = '']) => script,
);

/** The lines of the examples that show output. */
const shown = examples.flatMap((example) => [...example.matchAll(/^# (.*)$/gm)].map(([, text = '']) => text));

/** The pattern of a shown line: `...` stands for anything, a time for any time. */
function outputPattern(line: string): RegExp {
  const pattern = line
    .replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replaceAll('\\.\\.\\.', '.*')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\\\.\d{3}Z/g, '[0-9T:.-]+Z')
    .replaceAll(/ {2,}/g, ' +');
  return new RegExp(`^\\s*${pattern}\\s*$`);
}

/** Each shell has a stack of its own: the limits of one client address count what the other has requested. */
const shells = ['bash', 'dash'] as const;

const isInstalled = (shell: string) => spawnSync(shell, ['-c', ':']).status === 0;

describe.each(shells)('in %s', (shellName) => {
  let stack: ChildProcess;
  let url: string;
  const hasShell = isInstalled(shellName);

  beforeAll(async () => {
    if (!hasShell) return;
    const inherited = Object.entries(process.env).filter(
      ([name]) => !/^(AWS_|TABLE_NAME|POWERTOOLS_|FILES_|TIMER_|STRIPE_|VOUCHSAFE_)/.test(name),
    );
    stack = spawn(process.execPath, [...comparingResponses, 'bin/local.ts'], {
      cwd: root,
      env: { ...Object.fromEntries(inherited), PORT: '0', DATA_DIR: ':memory:' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    await new Promise<void>((resolve) => {
      stack.stdout?.on('data', (chunk) => {
        output += chunk;
        if (output.includes('Ctrl-C ends')) resolve();
      });
      stack.once('close', () => resolve());
    });
    const [, started] = /runs at (http:\/\/\S+)/.exec(output) ?? [];
    if (started === undefined) throw new Error(output);
    url = started;
  }, 120_000);

  afterAll(async () => {
    if (!hasShell || stack.exitCode !== null) return;
    const ended = once(stack, 'close');
    stack.kill('SIGTERM');
    await ended;
  });

  test.skipIf(!hasShell)(
    'the examples work as pasted, and print what the README shows (skipped where the shell is missing)',
    async () => {
      const shell = spawn(shellName, ['-eu', '-c', examples.join('\n')], {
        cwd: root,
        env: { ...process.env, PORT: new URL(url).port },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      let errors = '';
      shell.stdout.on('data', (chunk) => {
        output += chunk;
      });
      shell.stderr.on('data', (chunk) => {
        errors += chunk;
      });
      const [code] = await once(shell, 'close');
      expect(code, `${errors}\n${output}`).toBe(0);

      expect(shown.length).toBeGreaterThan(examples.length);
      let rest = output.split('\n');
      for (const comment of shown) {
        const found = rest.findIndex((line) => outputPattern(comment).test(line));
        expect(found, `${comment}\nis not in\n${rest.join('\n')}`).toBeGreaterThanOrEqual(0);
        rest = rest.slice(found + 1);
      }
    },
    120_000,
  );

  test.skipIf(!hasShell)(
    'after the examples, a receiver of 15 lines verifies every delivery, although they have moved the clock',
    async () => {
      const port = await freePort();
      // biome-ignore lint/suspicious/noExplicitAny: a test reads any response.
      const demo = (await (await fetch(`${url}/_local/demo`)).json()) as any;
      const authorization = `Bearer ${demo.applications.offline.apiKey}`;
      // biome-ignore lint/suspicious/noExplicitAny: a test reads any response.
      const send = async (method: string, path: string, body?: object): Promise<any> => {
        const init = { method, headers: { authorization, 'content-type': 'application/json' } };
        const response = await fetch(
          url + path,
          body === undefined ? init : { ...init, body: JSON.stringify(body) },
        );
        expect(response.status, path).toBeLessThan(300);
        return response.json();
      };
      const to = { url: `http://localhost:${port}`, types: ['*'] };
      const { webhook, secret } = await send('POST', '/api/v1/webhooks', to);
      const receiver = await startReceiver(port, secret);
      try {
        const { now } = await send('GET', '/_local/clock');
        expect(Date.parse(now)).toBeGreaterThan(Date.now() + 10 * dayMs);
        for (const advanceSeconds of [0, dayMs / 1_000, 31 * (dayMs / 1_000)]) {
          await send('POST', `/api/v1/webhooks/${webhook._id}/test`);
          const moved = await send('POST', '/_local/clock', { advanceSeconds });
          expect(moved.stillRunning).toEqual([]);
        }
        const { deliveries } = await send('GET', `/api/v1/webhooks/${webhook._id}/deliveries`);
        // The tests, and the invoice of the next term.
        expect(deliveries.length).toBeGreaterThan(3);
        for (const { attempts } of deliveries) expect(attempts).toMatchObject([{ status: 204 }]);
      } finally {
        receiver.kill();
        await once(receiver, 'close');
      }
    },
    120_000,
  );
});

/** Starts the receiver that the documentation shows, on a port of its own. */
async function startReceiver(port: number, secret: string): Promise<ChildProcess> {
  const documentation = readFileSync(join(root, 'docs/webhooks.md'), 'utf8');
  const source = /```ts\n([\s\S]*?)```/.exec(documentation)?.[1] ?? '';
  expect(source.trimEnd().split('\n')).toHaveLength(15);
  const receiver = spawn(process.execPath, ['--input-type=module-typescript'], {
    cwd: root,
    env: { ...process.env, WEBHOOK_SECRET: secret },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  receiver.stdin?.end(source.replace('4000', String(port)));
  const listens = async () =>
    (await fetch(`http://localhost:${port}`, { method: 'POST', body: '{}' })).status;
  await vi.waitFor(async () => expect(await listens()).toBe(400), 30_000);
  return receiver;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test('no example shows a part of an id, whose first characters are its time and the others are random', () => {
  for (const line of shown) expect(line).not.toMatch(/\b[a-z]{3}_[^."]/);
});

test('the commands of npm in the blocks are scripts of the project', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block).join('\n');
  const named = [...blocks.matchAll(/npm (?:run (?:-s )?)?([a-z:]+)/g)].map(([, name = '']) => name);
  const commands = named.filter((name) => name !== 'ci');
  expect(commands).toEqual(expect.arrayContaining(['start', 'test', 'operator', 'demo:oauth']));
  for (const name of commands) expect(Object.keys(scripts)).toContain(name);
});

test('the README has at most 150 lines', () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

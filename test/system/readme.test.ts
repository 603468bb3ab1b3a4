import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { dayMs } from '../../functions/shared/runtime/duration.ts';
import { blocksOf } from '../support/examples/blocks.ts';
import { outputPattern, shownLines } from '../support/examples/shown-output.ts';
import { freePort } from '../support/server.ts';
import { startSubscriptionStack } from '../support/subscriptions/stack.ts';

const root = join(import.meta.dirname, '../..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
/** The examples, in the order in which a reader pastes them into one shell. */
const examples = blocksOf(readme.slice(readme.indexOf('## Try it')), 'sh');

/** The lines of the examples that show output. */
const shown = examples.flatMap(shownLines);

let stack: Awaited<ReturnType<typeof startSubscriptionStack>>;
beforeAll(async () => {
  stack = await startSubscriptionStack();
});
afterAll(() => stack?.stop());

test('the examples work as pasted, and print what the README shows', async () => {
  const shell = spawn('/bin/sh', ['-eu', '-c', examples.map(({ source }) => source).join('\n')], {
    cwd: root,
    env: { ...process.env, PORT: new URL(stack.url).port },
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
});

test('after the examples, a receiver of 15 lines verifies every delivery, although they have moved the clock', async () => {
  const port = await freePort();
  const { applications } = await stack.demo();
  const authorization = { authorization: `Bearer ${applications.offline.apiKey}` };
  const send = async (method: string, path: string, body?: object) => {
    const answer = await stack.sendJson(method, path, body, authorization);
    expect(answer.status, path).toBeLessThan(300);
    return answer.body;
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
});

/** Starts the receiver that the documentation shows, on a port of its own. */
async function startReceiver(port: number, secret: string): Promise<ChildProcess> {
  const documentation = readFileSync(join(root, 'docs/webhooks.md'), 'utf8');
  const [{ source } = { source: '' }] = blocksOf(documentation, 'ts');
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

test('the commands of npm in the blocks are scripts of the project', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const blocks = blocksOf(readme, 'sh')
    .map(({ source }) => source)
    .join('\n');
  const named = [...blocks.matchAll(/npm (?:run (?:-s )?)?([a-z:]+)/g)].map(([, name = '']) => name);
  const commands = named.filter((name) => name !== 'ci');
  expect(commands).toEqual(expect.arrayContaining(['start', 'test', 'operator', 'demo:oauth']));
  for (const name of commands) expect(Object.keys(scripts)).toContain(name);
});

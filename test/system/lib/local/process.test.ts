import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { handlerEnvironment } from '../../../../lib/local/environment.ts';
import { comparingResponses } from '../../../support/documentation/module.ts';
import { limitMs } from '../../../support/pace.ts';

const project = fileURLToPath(new URL('../../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'local-'));
const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `npm start` without npm, as on a new clone: no AWS variable is set. */
function start(settings: Record<string, string>) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(AWS_|TABLE_NAME|POWERTOOLS_|FILES_|TIMER_|STRIPE_)/.test(name),
  );
  const child = spawn(process.execPath, [...comparingResponses, 'bin/local.ts'], {
    cwd: project,
    env: { ...Object.fromEntries(inherited), PORT: '0', DATA_DIR: ':memory:', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  return { child, output: () => output, closed: once(child, 'close') };
}

async function ready(started: ReturnType<typeof start>): Promise<string> {
  await Promise.race([
    expect.poll(started.output, { timeout: 100_000 }).toContain('Ctrl-C ends'),
    started.closed,
  ]);
  const url = /runs at (http:\/\/\S+)/.exec(started.output())?.[1];
  if (url === undefined) throw new Error(started.output());
  return url;
}

async function createShare(url: string): Promise<string> {
  const response = await fetch(`${url}/api/share`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data_blob: 'SGVsbG8', iv: 'AAEC' }),
  });
  return ((await response.json()) as { shareId: string }).shareId;
}

/** Expects that a signal ends every process within a second on a quiet machine, with code 0. */
async function expectEnd(started: ReturnType<typeof start>, url: string, signal: NodeJS.Signals) {
  // Neither an idle connection nor a request in progress delays the end.
  await fetch(`${url}/_local/health`);
  const half = new ReadableStream({ pull: () => new Promise(() => undefined) });
  const init: RequestInit = { method: 'POST', body: half, duplex: 'half' };
  const hanging = fetch(`${url}/api/share`, init).catch(() => 'cut off');
  await createShare(url);
  const beganMs = performance.now();
  started.child.kill(signal);
  // Its output closes when the last process that could write to it is gone.
  expect(await started.closed).toEqual([0, null]);
  expect(performance.now() - beganMs).toBeLessThan(await limitMs(1_000));
  expect(await hanging).toBe('cut off');
}

test('the stack is ready within 3 seconds on a quiet machine, the first request that it shows works as pasted, and SIGINT ends it', async () => {
  const beganMs = performance.now();
  const started = start({});
  const url = await ready(started);
  expect(performance.now() - beganMs).toBeLessThan(await limitMs(3_000));

  const shown = started.output();
  expect(shown.trim().split('\n').length).toBeLessThan(24);
  for (const place of ['/s ', '/account ', '/_local/billing ', '/docs ', '/_local ']) {
    expect(shown).toContain(place);
  }
  const pasted = shown.slice(shown.indexOf('  id=$('), shown.indexOf('Ctrl-C'));
  const shell = spawn('/bin/sh', ['-c', pasted], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [answer] = await once(shell.stdout, 'data');
  expect(JSON.parse(String(answer))).toMatchObject({ data_blob: 'SGVsbG8' });
  await expectEnd(started, url, 'SIGINT');
});

/** Expects that a stack does not start, and says why and what to do in one line. */
async function expectRefusal(settings: Record<string, string>, text: RegExp): Promise<void> {
  const failing = start(settings);
  expect(await failing.closed).toEqual([1, null]);
  expect(failing.output().trim()).toMatch(text);
  expect(failing.output().trim()).not.toContain('\n');
}

test('a taken port, a damaged table and a port that cannot be end the stack with one line that says what to do', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address() as { port: number };
  const damaged = join(folder, 'damaged');
  mkdirSync(damaged);
  writeFileSync(join(damaged, 'table.sqlite'), 'x'.repeat(10_000));
  await Promise.all([
    expectRefusal({ PORT: String(port) }, new RegExp(`^Port ${port} is taken. .*PORT=\\d+ npm start$`)),
    expectRefusal({ DATA_DIR: damaged }, /damaged\/table\.sqlite is damaged\. .*DATA_DIR=\S+ npm start$/),
    expectRefusal({ PORT: '65536' }, /^PORT=65536 is no port: .*PORT=3000 npm start$/),
  ]);
  taken.close();
});

test('a rate that the handlers would refuse is refused at the start', () => {
  const none = { dynamodb: '', ses: '', sfn: '', secretsManager: '' };
  const environment = () => handlerEnvironment({ APPLICATION_REQUESTS_PER_SECOND: '300' }, none, '');
  expect(environment).toThrow(
    /^The environment variable APPLICATION_REQUESTS_PER_SECOND must be a whole number from 1 to 100$/,
  );
});

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { comparingResponses } from './support/documentation/module.ts';

const root = join(import.meta.dirname, '..');
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
});

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

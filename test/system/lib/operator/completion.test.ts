import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { expect, test } from 'vitest';
import { operateHere } from './program.ts';

/** The words that a shell offers for the last one of a command line, with the script of the program. */
async function offered(typed: readonly string[]): Promise<string[]> {
  const { out: script } = await operateHere(['completion', 'bash'], {});
  const words = typed.map((word) => `'${word}'`).join(' ');
  const { stdout, stderr } = spawnSync(
    'bash',
    [
      '--norc',
      '-c',
      `${script}\nCOMP_WORDS=(operator ${words}) COMP_CWORD=${typed.length}\n_operator\nprintf '%s\\n' "\${COMPREPLY[@]}"`,
    ],
    { encoding: 'utf8', env: { PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter) } },
  );
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

test.each([
  [['subscr'], ['subscription']],
  [
    ['key', 'create', 'app_1', '--kind', ''],
    ['client_secret', 'api_key'],
  ],
  [['frobnicate', ''], []],
])('bash completes %j to %j', async (typed, words) => {
  expect(await offered(typed)).toEqual(words);
});

test.each([
  [
    ['subscription', ''],
    ['list', 'show', 'update', 'mails', 'find'],
  ],
  [['subscription', 'list', 'app_1', '--re'], ['--reference-number']],
  [['webhook', 'update', 'app_1', 'whk_1', '--no'], ['--no-active']],
  [['key', 'revoke', 'app_1', 'key_1', '--y'], ['--yes']],
  [['key', 'create', 'app_1', '--y'], []],
  [['payment', 'show', 'app_1', 'p'], []],
])('%j can become %j', async (typed, words) => {
  const { out } = await operateHere(['completion', 'words', '--', ...typed], {});
  expect(out).toBe(words.map((word) => `${word}\n`).join(''));
});

test('the scripts of both shells define the command, and another shell is refused', async () => {
  const scripts = await Promise.all(['bash', 'zsh'].map((shell) => operateHere(['completion', shell], {})));
  for (const { code, out } of scripts) {
    expect(code).toBe(0);
    expect(out).toContain('command -v operator > /dev/null || operator() {');
  }
  expect(scripts[1]?.out).toContain('compdef _operator operator');
  expect((await operateHere(['completion', 'fish'], {})).code).toBe(2);
});

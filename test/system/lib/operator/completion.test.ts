import { spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { operateHere } from './program.ts';

test('bash offers the words of the program for the last one of a command line', async () => {
  const { out: script } = await operateHere(['completion', 'bash'], {});
  const typed = `COMP_WORDS=(operator key create app_1 --kind '') COMP_CWORD=5
    _operator
    printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', `${script}\n${typed}`], {
    encoding: 'utf8',
    env: { PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter) },
  });
  expect([stdout, stderr]).toEqual(['client_secret\napi_key\n', '']);
});

test.each([
  [['subscr'], ['subscription']],
  [['frobnicate', ''], []],
  [
    ['subscription', ''],
    ['list', 'show', 'cancel', 'update', 'pause', 'resume', 'uncancel', 'change', 'mails', 'find'],
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

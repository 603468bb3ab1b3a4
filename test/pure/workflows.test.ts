/** The commands that a job of GitHub Actions may run, by its permissions. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { programs } from '../nightly/programs.ts';

const folder = join(import.meta.dirname, '../../.github/workflows');

/** Each job, as the lines of its file, by `<file> <job>`. */
const jobs = Object.fromEntries(
  globSync('*.yml', { cwd: folder }).flatMap((file) => {
    const [, text = ''] = readFileSync(join(folder, file), 'utf8').split(/^jobs:$/m);
    const parts = text.matchAll(/^ {2}([a-z]+):\n((?: {3,}.*\n)+)/gm);
    return [...parts].map(({ 1: name = '', 2: lines = '' }) => [`${file} ${name}`, lines]);
  }),
);

const valuesOf = (lines: string, name: 'uses' | 'run') =>
  [...lines.matchAll(new RegExp(`^ +-? *${name}: (.*)$`, 'gm'))].map(([, value = '']) => value);

const canAssumeRole = Object.entries(jobs).filter(([, lines]) => lines.includes('id-token: write'));

test('the job that can assume the role runs no code of a dependency but that of the CDK', () => {
  expect(canAssumeRole.map(([name]) => name)).toEqual(['deploy.yml deploy']);
  for (const [, lines] of canAssumeRole) {
    expect(lines).toContain('needs: build');
    expect(lines).not.toContain('run: |');
    expect(valuesOf(lines, 'run').map((command) => command.replace(/ --.*| -r .*| -C .*/, ''))).toEqual([
      'npm ci',
      'tar -xzf "$RUNNER_TEMP/deployment/deployment.tar.gz"',
      'node node_modules/aws-cdk/bin/cdk deploy',
      'echo "url=$(jq',
    ]);
    expect(lines).toContain('npm ci --ignore-scripts\n');
    expect(lines).toContain(' --app "$RUNNER_TEMP/deployment/cdk.out" ');
  }
});

test('no file of the artifact replaces one that runs in the job that can assume the role', () => {
  for (const [, lines] of canAssumeRole) {
    expect(lines).toMatch(/path: \$\{\{ runner\.temp \}\}\/deployment\n/);
    expect(lines).toContain(' -C "$RUNNER_TEMP/deployment"\n');
  }
});

test('the job that tests and synthesizes can read the repository, and nothing else', () => {
  const { 'deploy.yml build': build = '' } = jobs;
  expect(valuesOf(build, 'run')).toEqual(expect.arrayContaining(['npm ci', 'npm test', 'npm run check']));
  expect(build).toMatch(/permissions:\n {6}contents: read\n {4}\w/);
  expect(build).not.toMatch(/secrets|environment:|vars\./);
});

test('every action is pinned to a commit', () => {
  const actions = Object.values(jobs).flatMap((lines) => valuesOf(lines, 'uses'));
  expect(actions.length).toBeGreaterThan(2);
  for (const action of actions) expect(action).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
});

test('every program runs every night, in a job of its own that can read the repository, and nothing else', () => {
  const { 'nightly.yml nightly': nightly = '' } = jobs;
  const [, matrix = ''] = /program: \[(.*)\]/.exec(nightly) ?? [];
  expect(matrix.split(', ')).toEqual(programs.map(({ name }) => name));
  expect(nightly).toContain('fail-fast: false\n');
  expect(valuesOf(nightly, 'run').join('; ')).toMatch(
    /^npm ci; npm run nightly -- \$\{\{ matrix\.program \}\}$/,
  );
  const text = readFileSync(join(folder, 'nightly.yml'), 'utf8');
  expect(text).toMatch(/^permissions:\n {2}contents: read\njobs:/m);
  expect(text).not.toMatch(/secrets|environment:|vars\./);
});

/** The suite works as docs/testing.md says. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const guide = readFileSync(join(root, 'docs/testing.md'), 'utf8');

/** Runs Vitest as a process that nobody has prepared. */
function vitest(node: string[], ...args: string[]) {
  const env = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|TEST_(?!CLOCK)|TABLE_NAME|AWS_)/.test(name),
  );
  const command = [...node, join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: root,
    encoding: 'utf8',
    env: { ...Object.fromEntries(env), NO_COLOR: 'true' },
  });
  return { status, output: stdout + stderr };
}

test('the example of the guide is the test that runs, in at most 15 lines', () => {
  const example = readFileSync(join(root, 'test/handlers/example.test.ts'), 'utf8');
  expect(guide).toContain(`\`\`\`ts\n${example}\`\`\`\n`);
  expect(example.trimEnd().split('\n').length).toBeLessThanOrEqual(15);
});

test('a failing test that got a 500 shows the log record and its cause', () => {
  const { status, output } = vitest(
    [],
    '--config',
    'test/support/failing/vitest.config.ts',
    '--project=handlers',
    'failing/request.ts',
  );
  expect(status, output).toBe(1);
  expect(output).toContain("route: 'POST /api/share'");
  expect(output).toContain('ResourceNotFoundException');
});

test('Node.js without what the suite needs is told so, and what to do', () => {
  const { status, output } = vitest(['--no-experimental-sqlite'], 'test/handlers/wording.test.ts');
  expect(status).toBe(1);
  expect(output).toContain('npm test');
  expect(output).not.toMatch(/node:sqlite|at .*\.ts/);
});

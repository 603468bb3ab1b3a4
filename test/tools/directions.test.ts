import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import layers from '../../.dependency-cruiser.layers.mjs';
import rules, { folders } from '../../.dependency-cruiser.mjs';

/** For each folder, a file with a forbidden import: of another folder, or of a file outside the folders. */
const plantedInFolders = Object.fromEntries(
  Object.entries(folders).flatMap(([parent, rooms]) =>
    Object.entries(rooms as Record<string, readonly string[]>).map(([name, allowed]) => {
      const forbidden = Object.keys(rooms).find((other) => other !== name && !allowed.includes(other));
      // A folder that may import all that are listed may import no other.
      const target = forbidden === undefined ? 'unlisted/planted.ts' : `${forbidden}/planted.ts`;
      return [
        `${parent}/${name}-imports`,
        {
          [`${parent}/${name}/a.ts`]: `import '../${target}';`,
          [`${parent}/${target}`]: '',
        },
      ];
    }),
  ),
);

/** The planted files of each rule. What they import exists. */
const planted: Record<string, Record<string, string>> = {
  ...plantedInFolders,
  'bin-is-thin': { 'bin/a.ts': "import '../functions/shared/contract/errors.ts';" },
  'lib-knows-contracts-only': { 'lib/a.ts': "import '../functions/shares/store.ts';" },
  'nothing-imports-programs-or-tests': { 'lib/b.ts': "import '../bin/b.ts';", 'bin/b.ts': '' },
  'functions-know-no-infrastructure': { 'functions/vault/g.ts': "import '../../lib/c.ts';", 'lib/c.ts': '' },
  'nothing-imports-an-endpoint': {
    'functions/vault/b.ts': "import './read.ts';",
    'functions/vault/read.ts': '',
  },
  'contracts-load-no-sdk': {
    'functions/vault/routes.ts': "import './far.ts';",
    'functions/vault/far.ts': "import './store.ts';",
    'functions/vault/store.ts': "import '../shared/table/table.ts';",
  },
  'only-stores-touch-the-table': { 'functions/vault/c.ts': "import '@aws-sdk/lib-dynamodb';" },
  'only-stores-use-the-table': { 'functions/vault/d.ts': "import '../shared/table/table.ts';" },
  'middy-in-one-place': { 'functions/vault/e.ts': "import '@middy/core';" },
  'client-stands-alone': { 'lib/client/b.ts': "import '../ok.ts';" },
  'share-page-runs-in-browsers': { 'lib/share-page/b.ts': "import '../ok.ts';" },
  'console-script-runs-in-browsers': { 'lib/console-page/b.ts': "import '../ok.ts';" },
  'reference-script-runs-in-browsers': { 'lib/reference/script/a.ts': "import '../../ok.ts';" },
  'client-program-stands-alone': { 'lib/client/cli/b.ts': "import '../../ok.ts';" },
  'functions-ship-no-dev-dependency': { 'functions/vault/f.ts': "import 'esbuild';" },
  'no-circle': { 'lib/x.ts': "import './y.ts';", 'lib/y.ts': "import './x.ts';" },
  'nothing-missing': { 'lib/z.ts': "import './absent.ts';" },
};

/** A tree that follows the rules. */
const lawful = {
  'functions/shared/contract/errors.ts': '',
  'functions/shared/table/table.ts': "import '@aws-sdk/lib-dynamodb'; import '../contract/errors.ts';",
  'functions/shares/share.ts': '',
  'functions/shares/store.ts': "import '../shared/table/table.ts'; import './share.ts';",
  'lib/ok.ts': "import '../functions/shared/contract/errors.ts';",
};

const root = join(import.meta.dirname, '../..');
let tree: string;

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'vouchsafe-directions-'));
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  symlinkSync(join(root, 'package.json'), join(tree, 'package.json'));
  symlinkSync(join(root, 'tsconfig.json'), join(tree, 'tsconfig.json'));
});

afterAll(() => rmSync(tree, { recursive: true }));

/** The violations of these files, each as `rule: file`. */
async function broken(
  files: Record<string, string>,
  tops = ['lib', 'functions'],
  config = rules,
): Promise<string[]> {
  for (const top of ['bin', 'lib', 'functions', 'test'])
    rmSync(join(tree, top), { recursive: true, force: true });
  for (const [file, text] of Object.entries({ ...lawful, ...files })) {
    mkdirSync(join(tree, dirname(file)), { recursive: true });
    writeFileSync(join(tree, file), text);
  }
  const { options, ...ruleSet } = config;
  const { output } = await cruise(
    tops,
    Object.assign({}, options, { baseDir: tree, ruleSet, validate: true }),
  );
  return (output as ICruiseResult).summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`);
}

test('a tree that follows the rules has no violation', async () => {
  expect(await broken({})).toEqual([]);
});

test('every rule has its planted violation', () => {
  expect(rules.forbidden?.map(({ name }) => name).sort()).toEqual(Object.keys(planted).sort());
});

test('every folder of lib is listed', () => {
  const found = readdirSync(join(root, 'lib'), { withFileTypes: true }).filter((one) => one.isDirectory());
  expect(Object.keys(folders.lib).sort()).toEqual(found.map(({ name }) => name).sort());
});

test.each(Object.entries(folders))('no two folders of %s may reach each other', (_, rooms) => {
  let left = Object.entries<readonly string[]>(rooms);
  for (;;) {
    const reaching = left.filter(([, allowed]) => left.some(([name]) => allowed.includes(name)));
    if (reaching.length === left.length) break;
    left = reaching;
  }
  expect(left).toEqual([]);
});

describe('with all planted files', () => {
  let violations: string[];
  // None hides another: one run finds them all.
  beforeAll(async () => {
    violations = await broken(Object.assign({}, ...Object.values(planted)), ['bin', 'lib', 'functions']);
  });

  test.each(Object.entries(planted))('%s reports its violation', (name, files) => {
    expect(violations).toContain(`${name}: ${Object.keys(files)[0]}`);
  });
});

test('a layer of tests reports what its files may not reach, directly or through others', async () => {
  const files = {
    'test/pure/a.test.ts': "import '../support/call.ts';",
    'test/pure/b.test.ts': "import { createServer } from 'node:http'; createServer();",
    'test/pure/c.test.ts':
      "import type { Item } from '../../functions/shared/table/table.ts'; export type A = Item;",
    'test/handlers/d.test.ts': "import '../support/call.ts'; import '../support/pace.ts';",
    'test/support/call.ts': "import '../../functions/shared/table/table.ts';",
    'test/support/pace.ts': "import { fork } from 'node:child_process'; fork('a');",
  };
  const found = await broken(files, ['test/pure', 'test/handlers'], layers);
  expect([...new Set(found)].sort()).toEqual([
    'handler-tests-start-nothing: test/handlers/d.test.ts',
    'pure-tests-compute: test/pure/a.test.ts',
    'pure-tests-compute: test/pure/b.test.ts',
  ]);
});

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Lines that a rule refuses, by the file of the rule, or by the name of a rule of Biome's own. */
const refused: Record<string, readonly string[]> = {
  'no-object-literal-spread.grit': [
    'export const a = { z, ...{ x, y } };',
    'export const b = { z, ...(x && { y }) };',
    'export const c = { z, ...(x ? { y } : {}) };',
    'export const d = { z, ...(x ? z : {}) };',
    'export const e = { z, ...(x ? { y } : undefined) };',
    'export const f = { z, ...(z ?? { y }) };',
    'export const g = call({ ...(x && { y }) });',
  ],
  'no-array-literal-destructuring.grit': [
    'export const [h, i] = [x, y];',
    'export const [j] = [x] as const;',
    'let k = x, l = y; [k, l] = [l, k];',
  ],
  'no-duration-literal.grit': [
    'export const n = 30 * 86_400_000;',
    'export const o = { windowMs: 60_000 };',
    'export const p = 24 * 3600000;',
  ],
  noNestedTernary: ['export const m = x ? 1 : y ? 2 : 3;'],
};

/** Lines that resemble the refused ones. */
const accepted = [
  'export const a = { ...z, ...(x ? z : y), ...call({ x }), ...defined({ y: x ? y : undefined }) };',
  'export const b = [...(x ? [y] : []), ...z];',
  'export const [c] = z;',
  'export const [d, e] = await Promise.all([x, y]);',
  'export const f = x ? 1 : 2;',
  'export const g = [30_000, 160_000, 3_600, 60 * 1_000];',
];

const root = join(import.meta.dirname, '../..');
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');

interface Diagnostic {
  category: string;
  message: string;
  location: { start: { line: number } };
}

/** The findings of the project's linter in these lines, by line. */
function lint(lines: readonly string[]): Map<string, Diagnostic[]> {
  const tree = mkdtempSync(join(tmpdir(), 'vouchsafe-lint-'));
  try {
    for (const entry of ['biome.json', 'lint', '.gitignore'])
      cpSync(join(root, entry), join(tree, entry), { recursive: true });
    mkdirSync(join(tree, 'functions'));
    writeFileSync(join(tree, 'functions/planted.ts'), `${lines.join('\n')}\n`);
    const command = [biome, 'lint', '--reporter=json', '--max-diagnostics=none', 'functions'];
    const { stdout } = spawnSync(process.execPath, command, { cwd: tree, encoding: 'utf8' });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: Diagnostic[] };
    return Map.groupBy(diagnostics, ({ location }) => lines[location.start.line - 1] ?? '');
  } finally {
    rmSync(tree, { recursive: true });
  }
}

/** The message of a plugin; Biome names a rule of its own in the category. */
function expected(rule: string) {
  if (!rule.endsWith('.grit')) return expect.objectContaining({ category: `lint/style/${rule}` });
  const [, message = ''] =
    /message\s*=\s*"([^"]+)"/.exec(readFileSync(join(root, 'lint', rule), 'utf8')) ?? [];
  return expect.objectContaining({ category: 'plugin', message });
}

test('every plugin has its planted violations', () => {
  const planted = Object.keys(refused).filter((rule) => rule.endsWith('.grit'));
  expect(readdirSync(join(root, 'lint')).sort()).toEqual(planted.sort());
});

const found = lint(Object.values(refused).flat());

test.each(Object.entries(refused).flatMap(([rule, lines]) => lines.map((line) => [rule, line] as const)))(
  '%s refuses %s',
  (rule, line) => {
    expect(found.get(line)).toContainEqual(expected(rule));
  },
);

test('lines that resemble the refused ones are accepted', () => {
  const diagnostics = [...lint(accepted).values()].flat();
  expect(diagnostics.filter(({ category }) => /^plugin$|noNestedTernary/.test(category))).toEqual([]);
});

import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ts from 'typescript';
import { writeEndpoint } from '../../../../lib/scaffold/new-endpoint.ts';
import { samples } from '../../../support/thoroughness.ts';

const root = join(import.meta.dirname, '../../../..');
const folders = ['bin', 'functions', 'lib', 'lint', 'test'];
const files = [
  '.gitignore',
  'CHANGELOG.md',
  'biome.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vitest.config.ts',
];

/** Endpoints of anyone, of an application, of a seller, of a user in the vault and of an operator. */
const endpoints = [
  ['shares', 'extend', '--method', 'POST', '--path', '/api/share/{id}/extend'],
  ['links', 'archive', '--method', 'DELETE', '--path', '/api/trust-links/{id}/archive'],
  ['users', 'note-create', '--method', 'POST', '--path', '/api/operator/users/{userId}/notes'],
  ['clients', 'suspend', '--method', 'POST', '--path', '/api/v1/clients/{externalId}/suspend'],
  ['journal', 'totals'],
  ['vault', 'summary'],
] as const;
const endpointFiles = endpoints.map(([service, name]) => `functions/${service}/${name}.ts`);
const testFiles = endpoints.map(([service, name]) => `test/handlers/functions/${service}/${name}.test.ts`);

let copy: string;

function run(command: readonly string[], timeout = 120_000) {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: copy,
    encoding: 'utf8',
    timeout,
    // Below the copy, whose paths no other run has.
    env: { ...process.env, NODE_COMPILE_CACHE: join(copy, 'compiled') },
  });
  return { status, stdout, stderr };
}

const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'vouchsafe-new-endpoint-'));
  for (const entry of [...folders, ...files])
    cpSync(join(root, entry), join(copy, entry), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});

afterAll(() => rmSync(copy, { recursive: true }));

/** Every file of the copy with its size and the time of its last change, to see what a run has written. */
function written(): Map<string, string> {
  const found = folders.flatMap((folder) =>
    readdirSync(join(copy, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return new Map(
    found.map((file) => {
      const { size, mtimeNs } = statSync(file, { bigint: true });
      return [file, `${size} bytes at ${mtimeNs}`];
    }),
  );
}

describe('an endpoint is refused, and nothing is written, when', () => {
  test.each([
    ['the service is unknown', { service: 'parcels', name: 'read' }, 'There is no service "parcels"'],
    ['the name leads elsewhere', { service: 'shares', name: '../read' }, '"../read" is no name'],
    ['the name is a route', { service: 'shares', name: 'open' }, 'shares.open exists already'],
    ['the path is taken', { service: 'shares', name: 'show', path: '/api/share' }, 'taken by shares.open'],
    [
      'the path renames the variable of another',
      { service: 'subscriptions', name: 'notes', path: '/subscriptions/{subscription}/notes' },
      'API Gateway wants one name for a variable',
    ],
  ])('%s', (_, request, message) => {
    const before = written();
    expect(() => writeEndpoint(copy, request)).toThrow(message);
    expect(written()).toEqual(before);
  });
});

describe('endpoints that npm run new-endpoint has written', () => {
  let changed: readonly string[];

  beforeAll(() => {
    // Biome keeps a short record on one line.
    const file = join(copy, 'functions/journal/routes.ts');
    const oneLine = (_: string, entries: string) => `{ ${entries.trim().replace(/,$/, '')} }`;
    writeFileSync(file, readFileSync(file, 'utf8').replace(/(?<=routes = )\{([^}]*)\}/, oneLine));
    const [first, ...others] = endpoints;
    const program = run(['bin/new-endpoint.ts', ...first]);
    expect(program).toMatchObject({ status: 0, stderr: '' });
    const inThisProcess = others.flatMap(([service, name, , method, , path]) =>
      writeEndpoint(copy, { service, name, method, path }),
    );
    run([biome, 'check', '--write', '--linter-enabled=false', ...inThisProcess]);
    changed = [...new Set([...program.stdout.trim().split('\n'), ...inThisProcess])];
  });

  test('are formatted and pass the linter', () => {
    const { status, stdout, stderr } = run([...[biome, 'check', '--error-on-warnings', ...changed]]);
    expect(status, stdout + stderr).toBe(0);
    expect(changed).toEqual(expect.arrayContaining([...endpointFiles, ...testFiles, 'CHANGELOG.md']));
  });

  test('of operators stand in the forms of the console, and all in the changelog', () => {
    const text = (file: string) => readFileSync(join(copy, file), 'utf8');
    const [contracts, forms] = ['contracts/users', 'users'].map((file) =>
      text(`functions/console-operations/${file}.ts`),
    );
    expect([contracts, forms]).toEqual([
      expect.stringContaining("  'note-create': noteCreateRoute,\n};"),
      expect.stringContaining("  'note-create': handleNoteCreate,\n});"),
    ]);
    for (const [, , , method = 'GET', , path = ''] of endpoints)
      expect(text('CHANGELOG.md')).toContain(`- \`${method} ${path}`);
  });

  test.each([
    ['clients', '  suspend: suspendRoute,\n'],
    ['journal', '  totals: totalsRoute,\n'],
  ])('stand in the routes of %s as one writes them by hand', (service, entry) => {
    expect(readFileSync(join(copy, `functions/${service}/routes.ts`), 'utf8')).toContain(entry);
  });

  test.each([
    ['journal/contracts/totals', '/api/v1/journal/totals'],
    ['vault/contracts/summary', '/api/vault/summary'],
  ])('follow the paths of their resource: %s', (file, path) => {
    expect(readFileSync(join(copy, `functions/${file}.ts`), 'utf8')).toContain(`path: '${path}'`);
  });

  test('pass the compiler', () => {
    const read = ts.readConfigFile(join(copy, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent({ ...read.config, include: [] }, ts.sys, copy);
    const files = changed.filter((file) => file.endsWith('.ts')).map((file) => join(copy, file));
    const program = ts.createProgram(files, options);
    // `npm run check` compiles what these import.
    const diagnostics = files.flatMap((file) => {
      const source = program.getSourceFile(file);
      return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    });
    const found = [...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics(), ...diagnostics];
    expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))).toEqual([]);
    expect(files.every((file) => program.getSourceFile(file) !== undefined)).toBe(true);
  }, 120_000);

  test('pass their own tests', () => {
    // The tables of this run serve them too.
    const files = samples({ few: testFiles.slice(0, 1), many: testFiles });
    const { status, stdout, stderr } = run([
      'node_modules/vitest/vitest.mjs',
      'run',
      '--maxWorkers=1',
      ...files,
    ]);
    expect(status, stdout + stderr).toBe(0);
  }, 120_000);
});

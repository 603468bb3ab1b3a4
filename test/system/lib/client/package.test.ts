import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeDeployedFiles } from '../../../../lib/deployment/bundling/deployed-files.ts';
import { type Consumer, installClient } from './install.ts';
import { type HandlerServer, startHandlers } from './server.ts';

const shell = promisify(execFile);
const root = join(import.meta.dirname, '../../../..');

let consumer: Consumer;
beforeAll(async () => {
  consumer = await installClient();
});

describe('the packed package', () => {
  test('holds the modules, their declarations, README and license, and no source', () => {
    expect(consumer.packed).toEqual([
      'package/LICENSE',
      'package/README.md',
      'package/dist/cli.js',
      'package/dist/index.d.ts',
      'package/dist/index.js',
      'package/dist/share.d.ts',
      'package/dist/share.js',
      'package/dist/vault.d.ts',
      'package/dist/vault.js',
      'package/package.json',
    ]);
  });

  test('has a program that runs without any other file', async () => {
    const { bin } = JSON.parse(await readFile(join(consumer.installed, 'package.json'), 'utf8'));
    expect(bin).toEqual({ 'vouchsafe-client': 'dist/cli.js' });
    const program = await readFile(join(consumer.installed, 'dist/cli.js'), 'utf8');
    expect(program).toMatch(/^#!\/usr\/bin\/env node\n/);
    const imported = [...program.matchAll(/^import .*? from "(.+?)";$/gm)].map(([, name]) => name);
    expect(imported.length).toBeGreaterThan(0);
    for (const name of imported) expect(name).toMatch(/^node:/);
  });
});

describe('the declarations of the package', () => {
  /** Imports of a consumer from each entry. The compiler checks the declarations whole. */
  const imported = {
    index: `import { authHash, decryptShare, deviceSignals, encryptShare, parseShareLink, ShareError, shareLink } from 'vouchsafe-client';
      import type { DecryptedShare, DeviceSignals, DeviceStorage, ShareErrorCode, SharePayload } from 'vouchsafe-client';
      export const proof: Promise<string> = authHash('password', 'salt');`,
    share: `import { describeShareLink, ShareClient, ShareError } from 'vouchsafe-client/share';
      import type { CreatedShare, Fetch, OpenedShare, ShareContent, ShareErrorCode, ShareReceipt } from 'vouchsafe-client/share';
      export const of = (fetch: Fetch) => new ShareClient({ apiUrl: 'https://api.example', fetch });`,
    vault: `import { decryptVault, encryptVault, VaultClient, VaultError, webStorageStore } from 'vouchsafe-client/vault';
      import type { DeviceStorage, DeviceStore, EncryptedVault, Fetch, StoredVault, VaultErrorCode, VaultKey } from 'vouchsafe-client/vault';
      export const of = (storage: DeviceStorage, fetch: Fetch) =>
        new VaultClient({ apiUrl: 'https://api.example', userId: 'user', store: webStorageStore(storage), fetch });`,
  };

  async function findings(source: string, options: ts.CompilerOptions, entry: string) {
    const file = join(consumer.directory, 'consumer.mts');
    await writeFile(file, source);
    const program = ts.createProgram([file], {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      types: [],
      skipLibCheck: false,
      target: ts.ScriptTarget.ES2022,
      ...options,
    });
    // The compiler's own libraries are not ours to check, and take most of its time.
    const sources = program.getSourceFiles().filter((source) => !program.isSourceFileDefaultLibrary(source));
    expect(sources.map(({ fileName }) => fileName)).toContainEqual(expect.stringContaining(`${entry}.d.ts`));
    const diagnostics = [
      ...program.getOptionsDiagnostics(),
      ...program.getGlobalDiagnostics(),
      ...sources.flatMap((source) => [
        ...program.getSyntacticDiagnostics(source),
        ...program.getSemanticDiagnostics(source),
      ]),
    ];
    return diagnostics.map(({ messageText, file, start = 0 }) => ({
      text: ts.flattenDiagnosticMessageText(messageText, '\n'),
      line: file?.getLineAndCharacterOfPosition(start).line,
    }));
  }

  const node = { module: ts.ModuleKind.NodeNext, lib: ['lib.es2022.d.ts'] };
  const bundled = {
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  };

  test.each([
    ['by the rules of Node, with the types of neither Node nor browsers', node],
    ['by the rules of bundlers, with the types of browsers', bundled],
  ])('compile in a consumer %s', async (_name, options) => {
    for (const [entry, source] of Object.entries(imported))
      expect(await findings(source, options, entry), entry).toEqual([]);
  });
});

describe('the examples of the README', async () => {
  const readme = await readFile(join(root, 'lib/client/README.md'), 'utf8');
  const examples = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, source = '']) => source);
  // Stands in for the local server of the README.
  let api: HandlerServer;
  let files: string;
  beforeAll(async () => {
    api = await startHandlers();
    files = await mkdtemp(join(tmpdir(), 'vouchsafe-files-'));
    await writeDeployedFiles(files);
    process.env.FILES_DIR = files;
  });
  afterAll(async () => {
    await api.close();
    await rm(files, { recursive: true });
  });

  test('of the shell print the text that was shared', async () => {
    const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, source = '']) => source);
    expect(blocks).toHaveLength(1);
    const commands = blocks[0]?.replace('http://localhost:3000', api.url);
    const { stdout } = await shell('/bin/sh', ['-euc', commands ?? ''], {
      cwd: consumer.directory,
      env: {
        ...process.env,
        npm_config_yes: 'true',
        npm_config_registry: 'http://127.0.0.1:9',
        npm_config_cache: join(files, 'cache'),
      },
    });
    expect(stdout).toBe('The vault opens at noon.\n');
  });

  test('cover every function', () => expect(examples.length).toBeGreaterThanOrEqual(4));

  test.each([...examples.entries()])('print the output that they show (%i)', async (_n, source) => {
    const said = [...source.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, line]) => line);
    expect(said.length).toBeGreaterThan(0);
    const output = await consumer.run(source.replace('http://localhost:3000', api.url));
    expect(output.trimEnd().split('\n')).toEqual(said);
  });
});

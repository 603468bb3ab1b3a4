import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { build, transform } from 'esbuild';
import { publint } from 'publint';
import ts from 'typescript';
import { blocksOf } from '../../../support/examples/blocks.ts';
import { shownLines } from '../../../support/examples/shown-output.ts';
import { deployedFiles } from '../../../support/once.ts';
import { freePort } from '../../../support/server.ts';
import { stackOfWorker } from '../../../support/subscriptions/stack.ts';
import { type Consumer, installClient } from './install.ts';
import { type HandlerServer, startHandlers } from './server.ts';
import { nodeTypes, typeFindings } from './type-findings.ts';

const shell = promisify(execFile);
const root = join(import.meta.dirname, '../../../..');

let consumer: Consumer;
beforeAll(async () => {
  consumer = await installClient();
});

describe('the served package', () => {
  test('holds the modules, their declarations and the license, and no source', () => {
    expect(consumer.packed).toEqual([
      'package/LICENSE',
      'package/dist/api.d.ts',
      'package/dist/api.js',
      'package/dist/cli.js',
      'package/dist/index.d.ts',
      'package/dist/index.js',
      'package/dist/schema.d.ts',
      'package/dist/share.d.ts',
      'package/dist/share.js',
      'package/dist/vault.d.ts',
      'package/dist/vault.js',
      'package/dist/webhook.d.ts',
      'package/dist/webhook.js',
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

test('publint and are-the-types-wrong find nothing in the tarball, for packages that are ES modules alone', async () => {
  const tarball = gzipSync(await readFile(consumer.tarball));
  const { messages } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true });
  expect(messages).toEqual([]);
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  const problems = 'problems' in result ? result.problems : ['no types'];
  // Of the profile `esm-only`: CommonJS, and the resolution of Node.js before version 12.
  const others = problems.filter(
    (problem) => !/^node(10|16-cjs)$/.test(String(Object(problem).resolutionKind)),
  );
  expect(others).toEqual([]);
});

test('the README says how large each entry is, minified and gzipped, and none has more than 8 KB', async () => {
  const readme = await readFile(join(root, 'lib/client/README.md'), 'utf8');
  const said = [...readme.matchAll(/^\| `vouchsafe-client(?:\/(\w+))?` \| ([\d.]+) KB \|/gm)];
  const sizes = said.map(async ([, entry = 'index']) => {
    const source = await readFile(join(consumer.installed, `dist/${entry}.js`), 'utf8');
    const { code } = await transform(source, { minify: true });
    return [entry, (gzipSync(code, { level: 9 }).length / 1_000).toFixed(1)] as const;
  });
  const measured = await Promise.all(sizes);
  expect(measured).toEqual(said.map(([, entry = 'index', size]) => [entry, size]));
  expect(measured.map(([entry]) => entry).sort()).toEqual(['api', 'index', 'share', 'vault', 'webhook']);
  for (const [entry, size] of measured) expect(Number(size), entry).toBeLessThanOrEqual(8);
});

test('a program that imports one class loads none of the others', async () => {
  const contents = "import { VouchsafeError } from 'vouchsafe-client/api'; console.log(VouchsafeError);";
  const stdin = { contents, resolveDir: consumer.directory };
  const { outputFiles } = await build({ stdin, bundle: true, minify: true, format: 'esm', write: false });
  expect(outputFiles[0]?.contents.length).toBeLessThan(1_000);
});

/** Compiles programs of a consumer, which have to import the declarations of all these entries. */
async function findings(
  sources: Readonly<Record<string, string>>,
  options: ts.CompilerOptions,
  entries: readonly string[],
) {
  const found = await typeFindings(consumer.directory, sources, options);
  for (const entry of entries)
    expect(found.imported).toContainEqual(expect.stringContaining(`${entry}.d.ts`));
  return found.findings;
}

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
    api: `import { createClient, createRequester, VouchsafeError } from 'vouchsafe-client/api';
      import type { ClientOptions, Listed, Output, Pages, Runtime, Schemas, TextPage, VouchsafeClient } from 'vouchsafe-client/api';
      type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
      const isTrue = <T extends true>(): T | undefined => undefined;
      export const client: VouchsafeClient = createClient({ url: 'https://api.example', key: 'vak_x' });
      const read = client.getSubscription({ id: 'sub_1' });
      isTrue<Same<Awaited<typeof read>['subscription']['_id'], string>>();
      const listed = client.listInvoices({ status: 'open' });
      isTrue<Same<Listed<'listInvoices'>, Schemas['ListedInvoice']>>();
      const csv = client.listInvoices({}, { accept: 'text/csv' });
      isTrue<Same<Awaited<typeof csv>, TextPage>>();
      isTrue<Same<typeof csv, Pages<TextPage, string>>>();
      const receivables = client.getReceivablesReport({}, { accept: 'text/csv' });
      isTrue<Same<typeof receivables, typeof csv>>();
      isTrue<Same<typeof listed, Pages<Schemas['ListInvoicesResponse'], Schemas['ListedInvoice']>>>();
      const pdf = client.getInvoice({ id: 'inv_1' }, { accept: 'application/pdf' });
      isTrue<Same<Awaited<typeof pdf>, Uint8Array>>();
      export const settings: ClientOptions = { url: '', fetch: async (request: { url: string }) => ({ request }) };
      export const codeOf = (error: VouchsafeError) => (error.code === 'invalid_transition' ? error.details?.status : error.code);
      // @ts-expect-error the id is missing
      client.getSubscription();
      // @ts-expect-error no such field
      client.listPlans({ colour: 'red' });
      // @ts-expect-error no such cycle
      client.createPlan({ id: 'app_1', name: 'Pro', price: 1, currency: 'EUR', billingCycle: 'daily' });
      // @ts-expect-error one invoice has no pages
      export const entriesOf = async () => { for await (const one of client.getInvoice({ id: 'inv_1' })) one; };
      // @ts-expect-error no such media type
      client.getSubscription({ id: 'sub_1' }, { accept: 'application/pdf' });
      // @ts-expect-error no such operation
      client.createParcel({});
      export type Used = [Output<'listPlans', 'application/json'>, Pages<string, string>, Runtime, typeof read, typeof listed];
      export const send = createRequester({ url: '' });`,
    webhook: `import { verifyWebhook, WebhookError } from 'vouchsafe-client/webhook';
      import type { VouchsafeEvent, WebhookErrorCode, WebhookHeaders } from 'vouchsafe-client/webhook';
      export async function handle(body: Uint8Array, headers: WebhookHeaders, secrets: string[]): Promise<string> {
        const event: VouchsafeEvent = await verifyWebhook(body, headers, secrets);
        switch (event.type) {
          case 'invoice.paid':
            // @ts-expect-error an invoice has no scopes
            event.data.scopes;
            return event.data.number;
          case 'consent.granted':
            return event.data.scopes.join();
          // @ts-expect-error no such type
          case 'invoice.eaten':
            return '';
          default:
            return 'ignored';
        }
      }`,
  };

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
    expect(await findings(imported, options, Object.keys(imported))).toEqual([]);
  });
});

describe('the examples of the README', async () => {
  const readme = await readFile(join(root, 'lib/client/README.md'), 'utf8');
  const examples = blocksOf(readme, 'js');
  // Stands in for the local server of the README.
  let api: HandlerServer;
  let stack: Awaited<ReturnType<typeof stackOfWorker>>;
  beforeAll(async () => {
    api = await startHandlers();
    stack = await stackOfWorker();
    process.env.FILES_DIR = await deployedFiles();
  });
  afterAll(() => api.close());

  test('of the shell print the text that was shared', async () => {
    const blocks = blocksOf(readme, 'sh');
    expect(blocks).toHaveLength(1);
    const commands = blocks[0]?.source.replace('http://localhost:3000', api.url);
    const { stdout } = await shell('/bin/sh', ['-euc', commands ?? ''], {
      cwd: consumer.directory,
      env: {
        ...process.env,
        npm_config_yes: 'true',
        npm_config_registry: 'http://127.0.0.1:9',
        npm_config_cache: join(consumer.directory, 'cache'),
      },
    });
    expect(stdout).toBe('The vault opens at noon.\n');
  });

  test('cover every function', () => expect(examples.length).toBeGreaterThanOrEqual(4));

  test.each([...examples.entries()])('print the output that they show (%i)', async (_n, example) => {
    const said = shownLines(example);
    expect(said.length).toBeGreaterThan(0);
    const { url } = example.source.includes('/_local/demo') ? stack : api;
    const output = await consumer.run(
      example.source.replace('http://localhost:3000', url).replaceAll('4000', String(await freePort())),
    );
    expect(output.trimEnd().split('\n')).toEqual(said);
  });

  test('of the API compile as TypeScript, and the integration of a newcomer has 25 lines', async () => {
    const sources = examples.map(({ source }) => source);
    const ofApi = sources.filter((source) => source.includes("'vouchsafe-client/api'"));
    expect(ofApi).toHaveLength(2);
    const options = {
      module: ts.ModuleKind.NodeNext,
      lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'],
      ...nodeTypes,
    };
    const named = Object.fromEntries(ofApi.map((source, i) => [`readme-${i}`, source]));
    expect(await findings(named, options, ['api'])).toEqual([]);
    const lines = ofApi[0]?.split('\n').filter((line) => line !== '' && !line.startsWith('import '));
    expect(lines?.length).toBeLessThanOrEqual(25);
  });
});

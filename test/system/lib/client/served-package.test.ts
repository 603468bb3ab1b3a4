import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { servedPackage } from '../../../../lib/client/package/served-package.ts';
import { call } from '../../../support/call.ts';
import { deployedFiles } from '../../../support/once.ts';
import { type HandlerServer, startHandlers } from './server.ts';

const root = join(import.meta.dirname, '../../../..');
let api: HandlerServer;
let file: string;
let integrity: string;

beforeAll(async () => {
  process.env.FILES_DIR = await deployedFiles();
  ({ file, integrity } = await servedPackage());
  api = await startHandlers();
});
afterAll(() => api.close());

const address = () => `${api.url}/assets/${file}`;

test('the package has the same bytes for the same sources', async () => {
  const { archive, ...again } = await servedPackage();
  expect(again).toEqual({ file, integrity });
  expect(Buffer.byteLength(archive)).toBeLessThan(600_000);
});

test('the hash of the bytes that are served is the one that the response and the page say', async () => {
  const bytes = Buffer.from(await (await fetch(address())).arrayBuffer());
  const hash = createHash('sha512').update(bytes).digest('base64');
  expect(integrity).toBe(`sha512-${hash}`);
  const { headers } = await call('shares.page-script', { params: { file } });
  expect(headers).toMatchObject({ 'unencoded-digest': `sha-512=:${hash}:`, 'cache-control': 'no-store' });
  const { text } = await call('shares.create-page');
  expect(text).toContain(`/assets/${file} open`);
  expect(text).toContain(integrity);
});

test.each(['vouchsafe-client-9.9.9.tgz', 'vouchsafe-client.tar', 'vouchsafe-client.json'])(
  'nothing else is served: %s is absent',
  async (name) => {
    expect((await call('shares.page-script', { params: { file: name } })).status).toBe(404);
  },
);

/** Commands that fetch a package by its name alone from a registry. */
const byName =
  /\b(npx|bunx|(npm|pnpm|yarn|bun) (install|i|ci|add|exec|x|dlx))\s+((-\S+|--)\s+)*vouchsafe-client(?![-\w./]*\.tgz)/;

test('no page, document or text says to run or install the package by its bare name', () => {
  const sources = globSync('{*.md,{docs,bin,functions,lib,test}/**/*.{md,ts,tsx,mjs,json,html}}', {
    cwd: root,
    exclude: ['**/dist/**', '**/fixtures/**'],
  });
  expect(sources.length).toBeGreaterThan(500);
  const texts = sources.map((name) => [name, readFileSync(join(root, name), 'utf8')] as const);
  expect(texts.filter(([, text]) => byName.test(text)).map(([name]) => name)).toEqual([]);
});

test('the documents name the package of the present version', () => {
  const documents = globSync('{*.md,{docs,lib}/**/*.md}', { cwd: root, exclude: ['**/dist/**'] });
  const named = documents.flatMap(
    (name) => readFileSync(join(root, name), 'utf8').match(/vouchsafe-client-\d[\w.]*\.tgz/g) ?? [],
  );
  expect(named.length).toBeGreaterThan(3);
  expect([...new Set(named)]).toEqual([file]);
});

import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registeredRoutes } from '../../../../functions/routes.ts';
import { maxResultBytes } from '../../../../functions/shared/contract/route.ts';
import { writeDeployedFiles } from '../../../../lib/deployment/bundling/deployed-files.ts';
import { pathsOf } from '../../../../lib/deployment/gateway/paths.ts';
import { operationIdOf } from '../../../../lib/openapi/operation-ids.ts';
import { call } from '../../../support/call.ts';

let directory: string;
let page: string;
let policy: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'vouchsafe-reference-'));
  await writeDeployedFiles(directory);
  page = await readFile(join(directory, 'docs.html'), 'utf8');
  policy = await readFile(join(directory, 'docs.csp'), 'utf8');
});

afterAll(() => rm(directory, { recursive: true }));

const contents = (tag: string) =>
  [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(([, text]) => text ?? '');

test('the policy allows the one script and the one style sheet of the page, and nothing else', () => {
  const hash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const scripts = contents('script');
  const styles = contents('style');
  expect([scripts.length, styles.length]).toEqual([1, 1]);
  expect(policy.split('; ')).toEqual([
    "default-src 'none'",
    `script-src ${hash(scripts[0])}`,
    `style-src ${hash(styles[0])}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]);
  expect(page, 'no style or handler that the policy would refuse').not.toMatch(/<[^>]+ (style|on[a-z]+)=/);
});

test('the page has 105 KB compressed, the document 500 bytes for each path of an operation, and both fit into a result of Lambda', async () => {
  const document = await readFile(join(directory, 'openapi.json'), 'utf8');
  const compressed = [page, document].map((text) => gzipSync(text).length);
  expect(compressed[0]).toBeLessThan(105_000);
  const paths = registeredRoutes().flatMap(({ route }) => pathsOf(route));
  expect(compressed[1]).toBeLessThan(500 * paths.length);
  for (const body of [page, document]) {
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(maxResultBytes / 2);
  }
});

test('the page has every operation with its other path and an example for curl', () => {
  for (const registered of registeredRoutes()) {
    const { route } = registered;
    const id = operationIdOf(registered);
    const from = page.indexOf(`<article id="${id}"`);
    expect(from, id).toBeGreaterThan(0);
    const article = page.slice(from, page.indexOf('</article>', from));
    for (const path of pathsOf(route)) expect(article).toContain(`<code>${path}</code>`);
    expect(article).toContain('<pre class="curl"');
    expect(article).toMatch(/<details><summary><span class="status/);
  }
});

describe.each([
  ['reference.page', 'docs.html', 'text/html; charset=utf-8'],
  ['reference.document', 'openapi.json', 'application/json; charset=utf-8'],
])('%s', (id, file, type) => {
  const request = (headers: Record<string, string> = {}) => {
    process.env.FILES_DIR = directory;
    return call(id, { headers });
  };

  test('is served as it was written, for caches to store', async () => {
    const { status, headers, text } = await request();
    expect(status).toBe(200);
    expect(text).toBe(await readFile(join(directory, file), 'utf8'));
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=300',
      etag: expect.stringMatching(/^"[\w-]{43}"$/),
      vary: expect.stringMatching(/^(origin, )?accept-encoding$/),
      'x-content-type-options': 'nosniff',
    });
  });

  test('is not sent again to a caller whose copy is current, also when a proxy has weakened its tag', async () => {
    const { etag = '', ...first } = (await request()).headers;
    for (const tags of [etag, `W/${etag}`, `"other", W/${etag}`, '*']) {
      const { status, headers, text } = await request({ 'If-None-Match': tags });
      expect([status, text], tags).toEqual([304, '']);
      const { 'x-request-id': _, ...rest } = first;
      expect(headers).toMatchObject({ ...rest, etag });
    }
  });
});

test('the page has its policy as a header, and cannot be framed', async () => {
  process.env.FILES_DIR = directory;
  expect((await call('reference.page')).headers).toMatchObject({
    'content-security-policy': policy,
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  });
});

test('an error may not be stored', async () => {
  process.env.FILES_DIR = join(directory, 'missing');
  expect((await call('reference.document')).headers['cache-control']).toBe('no-store');
});

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { registeredEvents } from '../../../../functions/events.ts';
import { registeredRoutes } from '../../../../functions/routes.ts';
import { errorCodes, maxResultBytes } from '../../../../functions/shared/contract/route.ts';
import { referenceFiles } from '../../../../lib/deployment/bundling/deployed-files.ts';
import { tagOf } from '../../../../lib/openapi/info.ts';
import { operationIdOf } from '../../../../lib/openapi/operation-id.ts';
import { pathsOf } from '../../../../lib/openapi/paths.ts';
import { call } from '../../../support/call.ts';
import { deployedFiles } from '../../../support/once.ts';

let directory: string;
let start: string;
/** By their names. */
let pages: Readonly<Record<string, string>>;
let policy: string;

beforeAll(async () => {
  directory = await deployedFiles();
  start = await readFile(join(directory, 'docs.html'), 'utf8');
  pages = JSON.parse(await readFile(join(directory, 'docs.json'), 'utf8'));
  policy = await readFile(join(directory, 'docs.csp'), 'utf8');
});

const contents = (page: string, tag: string) =>
  [...page.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(([, text]) => text ?? '');

test('the policy allows the one script and the one style sheet of each page, and nothing else', () => {
  const hash = (text = '') => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  for (const page of [start, ...Object.values(pages)]) {
    const scripts = contents(page, 'script');
    const styles = contents(page, 'style');
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
  }
});

test('on the local stack, the script may send requests to the stack, and to nothing else', async () => {
  const files = await referenceFiles('local');
  expect(files['docs.csp'].split('; ')).toContain("connect-src 'self'");
  expect(files['docs.csp'].replace("connect-src 'self'; ", '').replace(/script-src \S+/, '')).toBe(
    policy.replace(/script-src \S+/, ''),
  );
});

test('each page has at most 60 KB compressed, the document 500 bytes for each path of an operation, and all fit into a result of Lambda', async () => {
  const document = await readFile(join(directory, 'openapi.json'), 'utf8');
  const all = Object.entries({ ...pages, start });
  for (const [name, page] of all) expect(gzipSync(page).length, name).toBeLessThan(60_000);
  const paths = registeredRoutes().flatMap(({ route }) => pathsOf(route));
  expect(gzipSync(document).length).toBeLessThan(500 * paths.length);
  for (const body of [document, ...all.map(([, page]) => page)]) {
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(maxResultBytes / 2);
  }
});

test('each operation is on the page of its group, with its other path, its errors and its examples', () => {
  for (const registered of registeredRoutes()) {
    const { route, service } = registered;
    const id = operationIdOf(registered);
    const page = pages[tagOf(service)] ?? '';
    const from = page.indexOf(`<article id="${id}"`);
    expect(from, id).toBeGreaterThan(0);
    const article = page.slice(from, page.indexOf('</article>', from));
    for (const path of pathsOf(route)) expect(article).toContain(`<code>${path}</code>`);
    for (const language of ['curl', 'python']) expect(article).toContain(`<pre class="example ${language}"`);
    expect(article).toMatch(/<details><summary><span class="status/);
    for (const code of errorCodes(route)) expect(article, id).toContain(`#error-${code}"`);
    expect(article).toContain('Who may call it');
  }
});

test('each type of event is on the page of events, and at the operations that it can follow', () => {
  for (const { type } of registeredEvents()) expect(pages.events).toContain(`<article id="event.${type}"`);
  expect(pages.subscriptions).toContain('href="../docs/events#event.subscription.cancelled"');
  expect(pages.events).toContain('href="../docs/subscriptions#cancelSubscription"');
});

test('a page shows each operation below `/api/v1` where it has such a path, also in its examples', () => {
  const page = pages.subscriptions ?? '';
  expect(page).toContain('<code>/api/v1/subscriptions/current</code>');
  expect(page).toContain('/api/v1/subscriptions/current?externalId=');
  expect(page).toContain('also at <code>/subscriptions/current</code>');
  expect(page).not.toMatch(/\$api\/subscriptions/);
  expect(start).toContain('have a second path without it');
});

test('each guide is a page, whose links lead to pages', () => {
  const guide = pages['sell-offline'] ?? '';
  expect(guide).toContain('<h1 id="sell-a-subscription-by-bank-transfer">');
  expect(guide).toContain('href="../docs/guides#before-you-begin"');
  expect(guide).toContain('href="../docs/subscriptions#createSubscription"');
  expect(guide).toContain('<code>docs/subscriptions.md</code>');
  expect(guide).not.toContain('localhost:3000/docs');
  expect(pages.guides).toContain('href="../docs/sell-offline"');
  expect(start).toContain('href="./docs/guides"');
});

test('the menu names the operations of the page by titles, and marks the page', () => {
  const menu = /<nav class="side"[\s\S]*?<\/nav>/.exec(pages.subscriptions ?? '')?.[0];
  expect(menu).toContain('<a href="#cancelSubscription">Cancel a subscription</a>');
  expect(menu?.match(/aria-current="page"/g)).toHaveLength(1);
  expect(menu).toContain('<a href="#content" aria-current="page">Subscriptions</a>');
});

const written = (file: string) => readFile(join(directory, file), 'utf8');

describe.each([
  ['reference.page', {}, () => written('docs.html'), 'text/html; charset=utf-8'],
  ['reference.group', { group: 'events' }, async () => pages.events, 'text/html; charset=utf-8'],
  ['reference.document', {}, () => written('openapi.json'), 'application/json; charset=utf-8'],
] as const)('%s', (id, params, text, type) => {
  const request = (headers: Record<string, string> = {}) => {
    process.env.FILES_DIR = directory;
    return call(id, { params, headers });
  };

  test('is served as it was written, for caches to store', async () => {
    const { status, headers, text: sent } = await request();
    expect(status).toBe(200);
    expect(sent).toBe(await text());
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

test.each([
  ['reference.page', {}],
  ['reference.group', { group: 'plans' }],
])('%s has its policy as a header, and cannot be framed', async (id, params) => {
  process.env.FILES_DIR = directory;
  expect((await call(id, { params })).headers).toMatchObject({
    'content-security-policy': policy,
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
  });
});

test.each(['nothing', 'toString', '__proto__'])('there is no page %s', async (group) => {
  process.env.FILES_DIR = directory;
  const { status, headers } = await call('reference.group', { params: { group } });
  expect([status, headers['cache-control']]).toEqual([404, 'no-store']);
  const shown = await call('reference.group', { params: { group }, headers: { accept: 'text/html' } });
  expect([shown.status, shown.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(shown.text).toContain('<a href="../docs">API reference</a>');
});

test('an error may not be stored', async () => {
  process.env.FILES_DIR = join(directory, 'missing');
  expect((await call('reference.document')).headers['cache-control']).toBe('no-store');
});

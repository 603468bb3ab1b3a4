import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { call } from '../../../support/call.ts';

const script = 'document.title = "A script";';
const hash = createHash('sha256').update(script).digest('base64url');
const directories: string[] = [];

async function deployed(text: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'vouchsafe-share-page-'));
  directories.push(directory);
  await writeFile(join(directory, 'share-page.js'), text);
  const description = { file: 'vouchsafe-client-1.2.3.tgz', integrity: 'sha512-AA==' };
  await writeFile(join(directory, 'vouchsafe-client.json'), JSON.stringify(description));
  return directory;
}

beforeEach(async () => {
  process.env.FILES_DIR = await deployed(script);
});
afterAll(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))));

describe('the share page', () => {
  test('has the same bytes without an id, for a share, and for an id that cannot exist', async () => {
    const { text, headers } = await call('shares.create-page');
    for (const shareId of [
      'oAAAAAAAAAAAAAAAAAAAAAA',
      'mBBBBBBBBBBBBBBBBBBBBBB',
      '<script>',
      'x'.repeat(5_000),
    ]) {
      const other = await call('shares.open-page', { params: { shareId } });
      expect([other.status, other.text]).toEqual([200, text]);
      expect(other.headers).toEqual(headers);
    }
  });

  test('runs the one script that was deployed with it, and calls no host but the API', async () => {
    const { text, headers } = await call('shares.create-page');
    const [, address = ''] = /<script type="module" src="([^"]+)"><\/script>/.exec(text) ?? [];
    expect(address).toMatch(new RegExp(`^https://[^/]+.*/assets/share-page-${hash}\\.js$`));
    expect(text.match(/<script/g)).toHaveLength(1);
    const [, styles] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? [];
    expect(headers['content-security-policy']?.split('; ')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${createHash('sha256')
        .update(styles ?? '')
        .digest('base64')}'`,
      'img-src data:',
      `script-src ${address}`,
      "connect-src 'self'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'x-frame-options': 'DENY',
    });
  });

  test('tells a preview of its link that somebody shared a secret, and nothing of the secret', async () => {
    const { text } = await call('shares.open-page', { params: { shareId: 'oAAAAAAAAAAAAAAAAAAAAAA' } });
    const named = [...text.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)">/g)];
    expect(Object.fromEntries(named.map(([, name = '', content]) => [name, content]))).toEqual({
      viewport: expect.any(String),
      robots: 'noindex',
      description: 'Open the link in a browser to read it. A preview opens nothing.',
      'og:type': 'website',
      'og:site_name': 'Vouchsafe',
      'og:title': 'Somebody shared a secret',
      'og:description': 'Open the link in a browser to read it. A preview opens nothing.',
    });
  });

  test('shows a failure as a page with an audit id, and no path of the machine', async () => {
    process.env.FILES_DIR = join(tmpdir(), 'absent-share-page');
    const { status, text, headers } = await call('shares.create-page', { headers: { Accept: 'text/html' } });
    expect([status, headers['content-type']]).toEqual([500, 'text/html; charset=utf-8']);
    expect(text).toContain(String(headers['x-audit-id']));
    expect(text).not.toContain('absent-share-page');
  });
});

describe('the script of the share page', () => {
  const request = (file: string, headers: Record<string, string> = {}) =>
    call('shares.page-script', { params: { file }, headers });

  test('may be stored for a year under the name with its hash', async () => {
    const { status, text, headers } = await request(`share-page-${hash}.js`);
    expect([status, text]).toEqual([200, script]);
    expect(headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
  });

  test('is not sent again to a caller whose copy is current', async () => {
    const { headers } = await request(`share-page-${hash}.js`);
    const again = await request(`share-page-${hash}.js`, { 'If-None-Match': String(headers.etag) });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  test.each(['share-page.js', `share-page-${hash}.css`, `share-page-${hash}`, '../routes.ts', 'docs.html'])(
    'is nothing else: %s is absent',
    async (file) => {
      expect((await request(file)).status).toBe(404);
    },
  );
});

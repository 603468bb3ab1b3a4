import { registeredRoutes } from '../../../../functions/routes.ts';
import { dayMs } from '../../../../functions/shared/runtime/clock.ts';
import { pathsOf } from '../../../../lib/openapi/paths.ts';
import { call } from '../../../support/call.ts';

const browser = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const hrefs = (html: string) => [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href = '']) => href);

test('a browser gets a page, which caches may store', async () => {
  const { status, headers, text } = await call('reference.home', { headers: browser });
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'public, max-age=300',
    vary: 'accept, accept-encoding',
    etag: expect.stringMatching(/^"[\w-]{43}"$/),
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
  });
  expect(headers).not.toHaveProperty('set-cookie');
  expect(text.match(/<h1>/g)).toHaveLength(1);
  expect(text).not.toMatch(/<(script|img|iframe|form|link(?! rel="icon" href="data:))\b| style=| on[a-z]+=/);
});

test.each([{}, { accept: '*/*' }, { accept: 'application/json' }])(
  'a program that sends %o gets the same links as JSON',
  async (headers) => {
    const page = await call('reference.home', { headers: browser });
    const response = await call('reference.home', { headers });
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      vary: 'accept, accept-encoding',
    });
    expect(response.headers).not.toHaveProperty('content-security-policy');
    const { name, ...urls } = response.body;
    expect(name).toBe('Vouchsafe');
    expect(Object.values(urls).sort()).toEqual(hrefs(page.text).sort());
  },
);

test('every link leads to a route of GET', async () => {
  const paths = registeredRoutes()
    .filter(({ route }) => route.method === 'GET')
    .flatMap(({ route }) => pathsOf(route))
    .map((path) => path.replace('{group}', 'guides'));
  const { text } = await call('reference.home', { headers: browser });
  for (const href of hrefs(text)) expect(paths).toContain(new URL(href).pathname.replace(/^\/test/, ''));
});

test.each([browser, { accept: 'application/json' }])(
  'a copy for %o is not sent again while it is current, and keeps its content type',
  async (accept) => {
    const first = await call('reference.home', { headers: accept });
    const headers = { ...accept, 'if-none-match': String(first.headers.etag) };
    const again = await call('reference.home', { headers });
    expect([again.status, again.text]).toEqual([304, '']);
    const { 'x-request-id': _, ...rest } = first.headers;
    expect(again.headers).toMatchObject(rest);
  },
);

test('security.txt names the contact of the stage, its own address, and an end within a year: RFC 9116', async () => {
  vi.stubEnv('SECURITY_CONTACT', 'mailto:security@example.com');
  vi.stubEnv('PUBLIC_URL', 'http://127.0.0.1:3000');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2028, 1, 29) });
  const { status, headers, text } = await call('reference.security-txt');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const fields = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(': '));
  expect(Object.fromEntries(fields)).toEqual({
    Contact: 'mailto:security@example.com',
    Expires: new Date(Date.now() + 180 * dayMs).toISOString(),
    'Preferred-Languages': 'en',
    Canonical: 'http://127.0.0.1:3000/.well-known/security.txt',
  });
});

test('without a contact there is no security.txt', async () => {
  vi.stubEnv('SECURITY_CONTACT', undefined);
  expect((await call('reference.security-txt')).status).toBe(404);
});

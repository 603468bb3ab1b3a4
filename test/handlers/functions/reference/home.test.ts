import { describe, expect, test } from 'vitest';
import { registeredRoutes } from '../../../../functions/routes.ts';
import { pathsOf } from '../../../../lib/paths.ts';
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
    .flatMap(({ route }) => pathsOf(route));
  const { text } = await call('reference.home', { headers: browser });
  for (const href of hrefs(text)) expect(paths).toContain(new URL(href).pathname.replace(/^\/test/, ''));
});

describe.each([
  ['page', browser],
  ['JSON', { accept: 'application/json' }],
])('a copy of the %s', (_, accept) => {
  const request = (headers: Record<string, string> = {}) =>
    call('reference.home', { headers: { ...accept, ...headers } });

  test('is not sent again while it is current, and keeps its content type', async () => {
    const first = await request();
    const { status, text, headers } = await request({ 'if-none-match': String(first.headers.etag) });
    expect([status, text]).toEqual([304, '']);
    const { 'x-request-id': _, ...rest } = first.headers;
    expect(headers).toMatchObject(rest);
  });
});

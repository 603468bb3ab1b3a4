import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  normalWebAddress,
  parseWebAddress,
  WebAddress,
} from '../../../../../functions/shared/fields/web-address.ts';

const accepted: [text: string, normal: string][] = [
  ['https://example.com', 'https://example.com/'],
  ['http://example.com/', 'http://example.com/'],
  ['HTTPS://EXAMPLE.com/Path', 'https://example.com/Path'],
  ['https://example.com:443/', 'https://example.com/'],
  ['http://example.com:8080/a', 'http://example.com:8080/a'],
  ['https://example.com/a/../b/./c', 'https://example.com/b/c'],
  ['https://example.com/?q=1#part', 'https://example.com/?q=1#part'],
  ['https://example.com./', 'https://example.com/'],
  ['https://www.youtube.com/@ann', 'https://www.youtube.com/@ann'],
  ['https://example.com/mail@host?to=a@b', 'https://example.com/mail@host?to=a@b'],
  ['https://a.b.c.example.co.uk/x', 'https://a.b.c.example.co.uk/x'],
  ['https://my_page.example.com/', 'https://my_page.example.com/'],
  ['https://münchen.example/ü', 'https://xn--mnchen-3ya.example/%C3%BC'],
  ['https://xn--mnchen-3ya.example/', 'https://xn--mnchen-3ya.example/'],
  ['https://例え.テスト/', 'https://xn--r8jz45g.xn--zckzah/'],
  ['https://ｅｘａｍｐｌｅ。com/', 'https://example.com/'],
  ['https://%65xample.com/', 'https://example.com/'],
  ['https://8.8.8.8/', 'https://8.8.8.8/'],
  ['https://0x08080808/', 'https://8.8.8.8/'],
  ['https://[2606:4700:4700::1111]/', 'https://[2606:4700:4700::1111]/'],
  ['https://[::ffff:8.8.8.8]/', 'https://[::ffff:808:808]/'],
  ['https://[64:ff9b::8.8.8.8]/', 'https://[64:ff9b::808:808]/'],
  ['https://172.15.255.255/', 'https://172.15.255.255/'],
  ['https://100.128.0.1/', 'https://100.128.0.1/'],
  ['https://local.example.com/', 'https://local.example.com/'],
  ['https://localhost.example.com/', 'https://localhost.example.com/'],
];

const malformed = [
  ...[
    '',
    'example.com',
    '/path',
    '//example.com',
    'nonsense',
    'http:',
    'http://',
    'https:///',
    'http://?',
    'http://#',
  ],
  ...['ftp://example.com', 'javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'mailto:a@b.c'],
  ...[
    'http:example.com',
    'http:/example.com',
    'http:///example.com',
    'http:\\\\example.com',
    'http://a.com\\@b.com',
  ],
  ...[' https://example.com', 'https://example.com ', 'https://exam ple.com', 'https://example.com/a b'],
  ...[
    'https://example.com/\n',
    'https://exa\tmple.com',
    'https://example.com/\u0000',
    'https://example.com/\u00a0',
  ],
  ...[
    'https://example.com:99999',
    'https://example.com:a',
    'https://[::1',
    'https://[1::2::3]',
    'https://999.1.1.1',
  ],
  ...['https://1.2.3.4.5', 'https://example.1', 'https://%00.com', 'https://exa<mple.com'],
  ...['https://[fe80::1%25eth0]/', 'https://example.com/\ud800'],
];

const withCredentials = [
  ...[
    'https://ann@example.com',
    'https://ann:secret@example.com',
    'https://@example.com',
    'https://:@example.com',
  ],
  ...['https://example.com@127.0.0.1/', 'https://a%40b@example.com'],
];

const notPublic = [
  ...[
    'http://localhost',
    'http://LOCALHOST',
    'http://localhost.',
    'http://a.localhost',
    'http://ｌocalhost/',
  ],
  ...['http://intranet', 'http://com', 'http://router/', 'http://printer.local', 'http://a.internal'],
  ...['http://nowhere.invalid', 'http://abc.onion', 'http://router.home.arpa', 'http://x.alt'],
  ...[
    'http://127.0.0.1',
    'http://127.1',
    'http://127.0.1',
    'http://2130706433',
    'http://0x7f000001',
    'http://0x7f.1',
  ],
  ...[
    'http://017700000001',
    'http://0177.0.0.1',
    'http://127.0.0.1.',
    'http://１２７.0.0.1',
    'http://127。0。0。1',
  ],
  ...['http://%31%32%37.0.0.1', 'http://0', 'http://0.0.0.0', 'http://10.0.0.1', 'http://10.255.255.255'],
  ...['http://172.16.0.1', 'http://172.31.255.255', 'http://192.168.1.1', 'http://169.254.169.254'],
  ...[
    'http://0xa9fea9fe',
    'http://100.64.0.1',
    'http://192.0.2.1',
    'http://198.51.100.1',
    'http://203.0.113.1',
  ],
  ...[
    'http://198.18.0.1',
    'http://224.0.0.1',
    'http://240.0.0.1',
    'http://255.255.255.255',
    'http://192.0.0.8',
  ],
  ...[
    'http://[::]',
    'http://[::1]',
    'http://[0:0:0:0:0:0:0:1]',
    'http://[::ffff:127.0.0.1]',
    'http://[::ffff:a00:1]',
  ],
  ...['http://[::127.0.0.1]', 'http://[64:ff9b::10.0.0.1]', 'http://[64:ff9b:1::1]', 'http://[2002:a00:1::]'],
  ...[
    'http://[2002:7f00:1::1]',
    'http://[fe80::1]',
    'http://[fc00::1]',
    'http://[fd12:3456::1]',
    'http://[fec0::1]',
  ],
  ...[
    'http://[ff02::1]',
    'http://[2001:db8::1]',
    'http://[2001::1]',
    'http://[100::1]',
    'http://[::ffff:0:10.0.0.1]',
  ],
  ...['http://-a.example.com', 'http://a-.example.com', 'http://a..example.com', 'http://example.com..'],
  ...[
    'http://.example.com',
    'http://exa!mple.com',
    'http://a.b',
    'http://xn--/',
    'http://example.c0m',
    `http://${'a'.repeat(64)}.com`,
  ],
  `http://${`${'a'.repeat(50)}.`.repeat(5)}example.com`,
];

test.each(accepted)('%s is accepted with the normal form %s', (text, normal) => {
  expect(parseWebAddress(text)).toEqual({ normal });
  expect(WebAddress.parse(text)).toBe(text);
});

describe.each([
  ['must be an absolute http or https URL', malformed],
  ['must not hold a user name or password', withCredentials],
  ['must have a host that could be public', notPublic],
])('%s', (problem, texts) => {
  test.each(texts)('%j', (text) => {
    expect(parseWebAddress(text)).toEqual({ problem });
    expect(WebAddress.safeParse(text).success).toBe(false);
    expect(() => normalWebAddress(text)).toThrow();
  });
});

test('2,048 characters are accepted and 2,049 refused', () => {
  const url = `https://example.com/${'a'.repeat(2028)}`;
  expect(parseWebAddress(url)).toEqual({ normal: url });
  expect(parseWebAddress(`${url}a`)).toEqual({ problem: 'must be at most 2048 characters long' });
});

test('a normal form is its own normal form, and parsing never throws', () => {
  const anything = fc.oneof(
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'binary' }).map((text) => `https://${text}`),
    fc.tuple(fc.ipV6(), fc.webPath()).map(([host, path]) => `http://[${host}]${path}`),
  );
  fc.assert(
    fc.property(anything, (text) => {
      const reading = parseWebAddress(text);
      if ('normal' in reading) expect(parseWebAddress(reading.normal)).toEqual(reading);
    }),
    { numRuns: 200 },
  );
});

test('every notation of a private IPv4 address is refused', () => {
  const octet = fc.integer({ min: 0, max: 255 });
  const inPrivate = fc.oneof(
    fc.tuple(fc.constantFrom(10, 127, 0), octet, octet, octet),
    fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
    fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
  );
  const prefixes = new Map([
    [8, '0'],
    [16, '0x'],
  ]);
  const part = (n: number, base: number) => `${prefixes.get(base) ?? ''}${n.toString(base)}`;
  const base = fc.constantFrom(8, 10, 16);
  fc.assert(
    fc.property(inPrivate, base, base, fc.integer({ min: 1, max: 4 }), (octets, first, other, parts) => {
      const [a, b, c, d] = octets;
      const tail = [a, b, c, d].slice(parts - 1).reduce((sum, n) => sum * 256 + n, 0);
      const host = [...[a, b, c].slice(0, parts - 1).map((n) => part(n, other)), part(tail, first)].join('.');
      const hex = (x: number, y: number) => (x * 256 + y).toString(16);
      for (const text of [
        ...[host, `${host}.`, `[::ffff:${a}.${b}.${c}.${d}]`, `[::${a}.${b}.${c}.${d}]`],
        ...[`[64:ff9b::${a}.${b}.${c}.${d}]`, `[2002:${hex(a, b)}:${hex(c, d)}::1]`],
      ])
        expect(parseWebAddress(`http://${text}/`)).toEqual({
          problem: 'must have a host that could be public',
        });
    }),
  );
});

test('an address has no direction override, which would show another one', () => {
  for (const text of ['https://example.com/\u202egnp.exe', 'https://example.com/\u2066a'])
    expect(parseWebAddress(text)).toEqual({ problem: 'must have no direction overrides' });
});

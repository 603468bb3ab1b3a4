import { describe, expect, test } from 'vitest';
import { isPublicAddress, parseWebhookUrl } from '../../../../../functions/webhooks/endpoints/address.ts';

describe('an address of the public internet', () => {
  test.each([
    ...['93.184.215.14', '1.1.1.1', '172.32.0.1', '100.128.0.1', '169.253.255.255', '223.255.255.254'],
    ...['2606:4700:4700::1111', '[2606:4700:4700::1111]', '2a00:1450:4001:82a::200e'],
  ])('is %s', (text) => {
    expect(isPublicAddress(text)).toBe(true);
  });

  test.each([
    ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.255'],
    ...['169.254.0.1', '169.254.169.254', '169.254.170.2', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
    ...['192.0.0.1', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.19.255.255', '198.51.100.1'],
    ...['203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ])('is not %s', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });

  test.each([
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['loopback in full', '0:0:0:0:0:0:0:1'],
    ['IPv4-mapped', '::ffff:127.0.0.1'],
    ['IPv4-mapped, hexadecimal', '::ffff:7f00:1'],
    ['IPv4-mapped, of a public address', '::ffff:1.1.1.1'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['IPv4-translated (RFC 2765)', '::ffff:0:127.0.0.1'],
    ['NAT64', '64:ff9b::169.254.169.254'],
    ['NAT64, local prefix', '64:ff9b:1::1'],
    ['6to4 of a private address', '2002:a00:1::'],
    ['6to4 of a public address', '2002:101:101::'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['a public one with a zone', '2606:4700:4700::1111%1'],
    ['unique local', 'fc00::1'],
    ['unique local, the metadata service of AWS', 'fd00:ec2::254'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['documentation', '2001:db8::1'],
    ['documentation (RFC 9637)', '3fff::1'],
    ['discard', '100::1'],
    ['ORCHIDv2', '2001:20::1'],
    ['segment routing', '5f00::1'],
    ['outside 2000::/3', '4000::1'],
    ['a name', 'localhost'],
    ['a name that begins like one', '1.1.1.1.example'],
    ['nothing', ''],
    ['an octal notation that no URL parser left', '0177.0.0.1'],
    ['a number', '2130706433'],
  ])('is not %s: %s', (_, text) => {
    expect(isPublicAddress(text)).toBe(false);
    expect(isPublicAddress(`[${text}]`)).toBe(false);
  });
});

describe('the URL of a webhook', () => {
  const problem = (text: string, allowLoopback = false) => {
    const parsed = parseWebhookUrl(text, { allowLoopback });
    return 'problem' in parsed ? parsed.problem : undefined;
  };

  test.each([
    'https://app.example/webhooks',
    'https://app.example',
    'https://app.example:443/',
    'https://app.example:1024/',
    'https://app.example:65535/hooks?tenant=1&x=%20',
    'https://xn--bcher-kva.example/',
    'https://93.184.215.14/',
    'https://[2606:4700:4700::1111]:8443/',
  ])('can be %s', (text) => {
    expect(problem(text)).toBeUndefined();
  });

  test.each([
    ['http', 'http://app.example/', 'must be an https URL'],
    ['another scheme', 'ftp://app.example/', 'must be an absolute http or https URL'],
    ['no scheme', '//app.example/', 'must be an absolute http or https URL'],
    ['a user name', 'https://user@app.example/', 'must not hold a user name or password'],
    ['a password', 'https://user:secret@app.example/', 'must not hold a user name or password'],
    ['a fragment', 'https://app.example/#a', 'must have no fragment'],
    ['an empty fragment', 'https://app.example/#', 'must have no fragment'],
    ['a line break', 'https://app.example/a\nb', 'must be an absolute http or https URL'],
    ['a backslash', 'https:\\\\app.example\\', 'must be an absolute http or https URL'],
    ['SSH', 'https://app.example:22/', 'must have port 443, or one from 1024 on'],
    ['http on the port of https', 'https://app.example:80/', 'must have port 443, or one from 1024 on'],
    ['port 1023', 'https://app.example:1023/', 'must have port 443, or one from 1024 on'],
    ['port 0', 'https://app.example:0/', 'must have port 443, or one from 1024 on'],
    ['too much', `https://app.example/${'a'.repeat(2_048)}`, 'must be at most 2048 characters long'],
    ['6to4 of a public address', 'https://[2002:101:101::]/', 'must have a public host'],
    ['mapped, of a public address', 'https://[::ffff:1.1.1.1]/', 'must have a public host'],
    ...[
      ...['localhost', 'localhost.', 'a.localhost', 'printer.local', 'db.internal', 'intranet'],
      ...['127.0.0.1', '127.1', '0x7f000001', '2130706433', '0177.0.0.1', '１２７.0.0.1', '%31%32%37.0.0.1'],
      ...['10.0.0.1', '169.254.169.254', '0xa9fea9fe', '[::1]', '[::]', '[::ffff:a9fe:a9fe]', '[fe80::1]'],
      ...['[64:ff9b::a9fe:a9fe]', '[fd00:ec2::254]', '0', '255.255.255.255'],
    ].map((host) => [host, `https://${host}/`, 'must have a host that could be public']),
  ])('cannot have %s: %s', (_, text, expected) => {
    expect(problem(text)).toBe(expected);
  });

  test.each(['http://localhost:3000/a', 'http://127.0.0.1:80/', 'http://[::1]:4000/', 'http://127.1/'])(
    'can be %s on a stack that allows loopback, and on no other',
    (text) => {
      expect(problem(text, true)).toBeUndefined();
      expect(problem(text)).toBeDefined();
    },
  );

  test.each([
    'http://app.example/',
    'http://10.0.0.1/',
    'http://169.254.169.254/',
    'http://0.0.0.0/',
    'http://localhost.example/',
    'http://user@localhost/',
    'http://localhost\\@app.example/',
    'http://localhost/#a',
    'https://localhost/',
  ])('cannot be %s even on a stack that allows loopback', (text) => {
    expect(problem(text, true)).toBeDefined();
  });

  test('is of at most 2,048 characters, and on loopback in its normal form', () => {
    const longest = `https://app.example/${'a'.repeat(2_028)}`;
    expect([longest, `${longest}a`].map((text) => problem(text))).toEqual([
      undefined,
      'must be at most 2048 characters long',
    ]);
    expect(problem(`http://localhost/${'a'.repeat(2_048)}`, true)).toBe(
      'must be at most 2048 characters long',
    );
    expect(parseWebhookUrl('http://LOCALHOST:80/a', { allowLoopback: true })).toEqual({
      normal: 'http://localhost/a',
    });
    expect(problem('https://http://localhost', true)).toBeDefined();
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { canonicalEmail, EmailAddress } from '../../../../../functions/shared/fields/email-address.ts';
import { processorMs } from '../../../../support/processor-time.ts';

describe('the canonical form of an address', () => {
  test.each([
    ['user@example.com', 'user@example.com'],
    ['USER@Example.COM', 'user@example.com'],
    ['first.last+tag@sub.example.co.uk', 'first.last+tag@sub.example.co.uk'],
    ["o'brien@example.com", "o'brien@example.com"],
    ['a_b-c@ex-ample.com', 'a_b-c@ex-ample.com'],
    ['\u212Aate@example.com', 'kate@example.com'],
    ['\u017Fam@example.com', 'sam@example.com'],
    ['ｕｓｅｒ＠ｅｘａｍｐｌｅ．ｃｏｍ', 'user@example.com'],
    ['user@example。com', 'user@example.com'],
    ['user@bücher.example', 'user@xn--bcher-kva.example'],
    ['user@bu\u0308cher.example', 'user@xn--bcher-kva.example'],
    ['user@BÜCHER.Example', 'user@xn--bcher-kva.example'],
    ['user@XN--BCHER-KVA.example', 'user@xn--bcher-kva.example'],
    ['user@faß.example', 'user@xn--fa-hia.example'],
    ['user@ex\u00ADample.com', 'user@example.com'],
  ])('%j is %s', (text, canonical) => {
    expect(canonicalEmail(text)).toBe(canonical);
    expect(canonicalEmail(text.normalize('NFD'))).toBe(canonical);
    expect(canonicalEmail(text.normalize('NFC'))).toBe(canonical);
  });

  test('is its own canonical form, for any text', () => {
    const texts = fc.oneof(
      fc.emailAddress(),
      fc.tuple(fc.string({ unit: 'grapheme' }), fc.domain()).map(([name, domain]) => `${name}@${domain}`),
      fc.tuple(fc.string(), fc.string({ unit: 'grapheme' })).map(([name, domain]) => `${name}@${domain}.com`),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const canonical = canonicalEmail(text);
        if (canonical === undefined) return;
        expect(canonicalEmail(canonical)).toBe(canonical);
        expect(canonicalEmail(text.toUpperCase())).toBe(canonicalEmail(text.toUpperCase().toLowerCase()));
        expect(canonical).toMatch(/^[!-?A-~]+@[a-z0-9.-]+$/);
        expect(canonical).toBe(canonical.toLowerCase());
      }),
      { numRuns: 200 },
    );
  });

  test('differs for look-alikes in another script', () => {
    expect(canonicalEmail('user@ex\u0430mple.com')).toBe('user@xn--exmple-4nf.com');
    expect(canonicalEmail('us\u0435r@example.com')).toBeUndefined();
  });
});

describe('text that is not a deliverable address is refused', () => {
  test.each([
    ...[
      '',
      '@',
      'a',
      'a@',
      '@example.com',
      'a@b',
      'a@example',
      'a@.com',
      'a@example..com',
      'a@example.com.',
      'a@-x.com',
    ],
    ...[
      'a@@example.com',
      'a@b@example.com',
      '.a@example.com',
      'a.@example.com',
      'a..b@example.com',
      'a b@example.com',
    ],
    ...[
      ' a@example.com',
      'a@example.com ',
      'a\u00A0b@example.com',
      'a\n@example.com',
      '\ra@example.com',
      'a\u0000@example.com',
    ],
    ...[
      'a@127.0.0.1',
      'a@[127.0.0.1]',
      'a@0x7f.1',
      'a@[::1]',
      'a@１.２.３.４',
      'a@user:pw@example.com',
      'a@example.com:25',
    ],
    ...[
      'a@example.com,b@example.com',
      'a@example.com;b@example.com',
      'Ada <a@example.com>',
      '"a b"@example.com',
    ],
    ...[
      'a@exa mple.com',
      'a@example.com%0d%0a',
      'a%0d%0a@example.com',
      'a@ex_ample.com',
      'jos\u00E9@example.com',
      '💥@example.com',
    ],
    ...[
      'a(comment)@example.com',
      'a@example.com(comment)',
      '\uD800@example.com',
      'a@\uDC00.com',
      'a@exam\u0000ple.com',
    ],
  ])('%j', (text) => {
    expect(canonicalEmail(text)).toBeUndefined();
  });

  test('longer than 254 characters, as sent or in canonical form', () => {
    const long = (length: number) => `${'a'.repeat(length - 12)}@example.com`;
    expect(canonicalEmail(long(255))).toBeUndefined();
    expect(canonicalEmail(`${'ﷺ'.repeat(20)}@example.com`)).toBeUndefined();
    expect(canonicalEmail(`a@${`${'ü'.repeat(20)}.`.repeat(11)}com`)).toBeUndefined();
    expect(canonicalEmail(`a@ex${'\u00AD'.repeat(300)}ample.com`)).toBeUndefined();
    expect(canonicalEmail(`a@${'example.'.repeat(31)}com`)).toMatch(/^a@(example\.){31}com$/);
  });

  test('a million characters, immediately', () => {
    const started = processorMs();
    for (const unit of ['a', 'ﷺ', '.', '@', 'a@', 'ü.']) canonicalEmail(unit.repeat(1_000_000));
    expect(processorMs() - started).toBeLessThan(1_000);
  });

  // URL parsers end the host at these characters, skip line breaks and tabs, and decode percent signs.
  test.each([
    'a@example.com\r\n',
    'a@exam\nple.com',
    'a@exam\tple.com',
    'a@example.com/b',
    'a@example.com?b',
    'a@example.com#b',
    'a@example.com\\b',
    'a@ex%61mple.com',
    'a@example.com℀b.net',
  ])('%j', (text) => {
    expect(canonicalEmail(text)).toBeUndefined();
  });

  // RFC 5321 section 4.5.3.1.1, RFC 1035 section 2.3.4: SES refuses them.
  test.each([`${'a'.repeat(65)}@example.com`, `a@${'b'.repeat(64)}.com`])('%s', (text) => {
    expect(canonicalEmail(text)).toBeUndefined();
  });
});

// Common checks allow only letters in the last label, which excludes international ones such as xn--p1ai.
test.each(['user@пример.рф', 'user@xn--e1afmkfd.xn--p1ai'])('%s is an address', (text) => {
  expect(canonicalEmail(text)).toBe('user@xn--e1afmkfd.xn--p1ai');
});

describe('an e-mail address field', () => {
  const Body = z.object({ email: EmailAddress });

  test('has the canonical form as its value', () => {
    expect(Body.parse({ email: 'USER@BÜCHER.example' })).toEqual({ email: 'user@xn--bcher-kva.example' });
  });

  test('is refused with a sentence that does not quote the value', () => {
    const { error } = Body.safeParse({ email: 'my secret' });
    expect(error?.issues).toHaveLength(1);
    expect(error?.issues[0]).toMatchObject({
      path: ['email'],
      message: 'must be an e-mail address, name@example.com',
    });
  });

  test.each([undefined, null, 1, {}, ['a@example.com']])('is refused when it is %j', (email) => {
    expect(Body.safeParse({ email }).success).toBe(false);
  });
});

test('an address has at most 64 characters before the @, and 254 in all, also in its canonical form', () => {
  const [longest, long] = [64, 65].map((length) => `${'a'.repeat(length)}@example.com`);
  expect([canonicalEmail(longest ?? ''), canonicalEmail(long ?? '')]).toEqual([longest, undefined]);
  const full = `a@${['d'.repeat(63), 'd'.repeat(63), 'd'.repeat(63), 'd'.repeat(56)].join('.')}.com`;
  expect(full).toHaveLength(254);
  expect(canonicalEmail(full)).toBe(full);
  expect(canonicalEmail(`a${full}`)).toBeUndefined();
  // 253 characters as typed, and more in the ASCII form of the domain.
  expect(canonicalEmail(full.replace('@ddd', '@dü'))).toBeUndefined();
});

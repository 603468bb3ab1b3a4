import fc from 'fast-check';
import * as z from 'zod/mini';
import { canonicalEmail, EmailAddress } from '../../../../../functions/shared/fields/email-address.ts';
import { corpusRows } from '../../../../support/corpus.ts';
import { processorMs } from '../../../../support/processor-time.ts';

describe('the canonical form of an address', () => {
  test.each(corpusRows('email-addresses.tsv'))('%j is %s, where - is a refusal', (text, expected) => {
    const canonical = expected === '-' ? undefined : expected;
    for (const form of [text, text.normalize('NFD'), text.normalize('NFC')]) {
      expect(canonicalEmail(form)).toBe(canonical);
    }
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

  test('is one for both cases of a letter that Unicode decomposes', () => {
    expect(canonicalEmail('a@\u03F9.com')).toBe(canonicalEmail('a@\u03F2.com'));
  });
});

describe('text that is not a deliverable address is refused', () => {
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

  // RFC 5321 section 4.5.3.1.1, RFC 1035 section 2.3.4: SES refuses them.
  test.each([`${'a'.repeat(65)}@example.com`, `a@${'b'.repeat(64)}.com`])('%s', (text) => {
    expect(canonicalEmail(text)).toBeUndefined();
  });
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

import * as z from 'zod/mini';
import { codeDigits, MailedCode } from '../../../../../functions/shared/fields/mailed-code.ts';
import { corpusRows } from '../../../../support/corpus.ts';

test.each(corpusRows('pasted-codes.tsv'))(
  'a pasted %j is the code %s, where - is none',
  (pasted = '', code = '') => {
    expect(codeDigits(pasted)).toBe(code === '-' ? undefined : code);
    expect(z.safeParse(MailedCode, pasted)).toMatchObject(code === '-' ? { success: false } : { data: code });
  },
);

test('every decimal digit of Unicode has the value that its block gives it', () => {
  const digits = Array.from({ length: 0x110000 }, (_, n) => n)
    .filter((n) => n < 0xd800 || n > 0xdfff)
    .map((n) => String.fromCodePoint(n))
    .filter((character) => /\p{Nd}/u.test(character));
  expect(digits.length % 10).toBe(0);
  for (let n = 0; n < digits.length; n += 10) {
    const ten = digits.slice(n, n + 10);
    expect(ten.map((digit) => codeDigits(digit.repeat(6))?.[0]).join('')).toBe('0123456789');
  }
});

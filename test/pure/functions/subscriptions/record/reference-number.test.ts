import fc from 'fast-check';
import {
  generateReference,
  parseReference,
  referenceCode,
} from '../../../../../functions/subscriptions/record/reference-number.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const drawn = fc
  .array(fc.integer({ min: 0, max: 31 }), { minLength: 7, maxLength: 7 })
  .map((values) => generateReference(() => (values.shift() ?? 0) / 32));

describe('a reference number', () => {
  test('consists of SUB- and eight characters of Crockford base 32', () => {
    fc.assert(fc.property(drawn, (reference) => /^SUB-[0-9A-HJKMNP-TV-Z]{8}$/.test(reference)));
  });

  test('is parsed in every way of typing it', () => {
    fc.assert(
      fc.property(drawn, (reference) => {
        const code = referenceCode(reference);
        const looksAlike = code.replaceAll('0', 'o').replaceAll('1', 'l');
        for (const typed of [
          reference,
          code,
          reference.toLowerCase(),
          ` sub ${code.slice(0, 4)} ${code.slice(4)} `,
          `SUB${code}`,
          code.split('').join('-'),
          looksAlike,
          code.replaceAll('1', 'I'),
        ]) {
          expect(parseReference(typed), typed).toBe(reference);
        }
      }),
      { numRuns: 50 },
    );
  });

  test('is rejected with any single wrong character', () => {
    fc.assert(
      fc.property(drawn, (reference) => {
        const code = referenceCode(reference);
        for (let at = 0; at < 8; at += 1) {
          for (const letter of alphabet) {
            if (letter === code[at]) continue;
            const wrong = code.slice(0, at) + letter + code.slice(at + 1);
            expect(parseReference(wrong), `${wrong} for ${code}`).toBeUndefined();
          }
        }
      }),
      { numRuns: 20 },
    );
  });

  test('is rejected with any two adjacent characters transposed', () => {
    fc.assert(
      fc.property(drawn, (reference) => {
        const code = referenceCode(reference);
        for (let at = 0; at < 7; at += 1) {
          if (code[at] === code[at + 1]) continue;
          const wrong = `${code.slice(0, at)}${code[at + 1]}${code[at]}${code.slice(at + 2)}`;
          expect(parseReference(wrong), `${wrong} for ${code}`).toBeUndefined();
        }
      }),
      { numRuns: 200 },
    );
  });

  test('is rejected with any two characters transposed', () => {
    fc.assert(
      fc.property(drawn, fc.nat(7), fc.nat(7), (reference, a, b) => {
        const letters = [...referenceCode(reference)];
        const first = letters[a] ?? '';
        const second = letters[b] ?? '';
        if (first === second) return;
        letters[a] = second;
        letters[b] = first;
        expect(parseReference(letters.join(''))).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    '',
    'SUB-',
    '0000SUB0000',
    'SUB-0000000',
    'SUB-000000000',
    'SUB-0000000U',
    'INV-00000000',
    'SUB-0000000\u0660',
    'SUB-0000000\u{1F600}',
    'SUBSUB-00000000',
  ])('is not %j', (text) => {
    expect(parseReference(text)).toBeUndefined();
  });
});

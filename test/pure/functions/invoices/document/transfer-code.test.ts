import fc from 'fast-check';
import jsqr from 'jsqr';
import { issuedInvoice } from '../../../../../functions/invoices/document/issued.ts';
import { qrCode, quietZone } from '../../../../../functions/invoices/document/qr-code.ts';
import { transferCode } from '../../../../../functions/invoices/document/transfer-code.ts';
import {
  creditorReference,
  isCreditorReference,
} from '../../../../../functions/invoices/document/transfer-reference.ts';
import type { Invoice } from '../../../../../functions/invoices/invoice.ts';
import {
  generateReference,
  parseReference,
} from '../../../../../functions/subscriptions/record/reference-number.ts';
import { anInvoice } from '../../../../support/subscriptions/invoices.ts';

const modulePixels = 4;

const codeOf = (changes: Partial<Invoice>) => transferCode(issuedInvoice(anInvoice(changes)));

/** The text that a scanner reads from the code, drawn as the page and the PDF draw it. */
async function scanned(text: string): Promise<string | undefined> {
  const { size, runs } = await qrCode(text);
  const side = (size + 2 * quietZone) * modulePixels;
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const { x, y, width } of runs) {
    const left = (x + quietZone) * modulePixels;
    const top = (y + quietZone) * modulePixels;
    for (let row = top; row < top + modulePixels; row += 1) {
      for (let column = left; column < left + width * modulePixels; column += 1)
        pixels.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
    }
  }
  // The types describe an ES module, and the package is CommonJS.
  const decode = jsqr as unknown as typeof jsqr.default;
  const code = decode(pixels, side, side);
  return code === null ? undefined : Buffer.from(code.binaryData).toString();
}

describe('the QR code of an invoice in EUR with an IBAN', () => {
  test('is a transfer of EPC069-12 of what is due at its issue, with the RF reference', async () => {
    const text = await scanned(codeOf({ settledAtIssue: { fromCreditMinor: 29_950 } }) ?? '');
    expect(text?.split('\n')).toEqual([
      ...['BCD', '002', '1', 'SCT', 'EXAMFIHH', 'Acme Notes Oy', 'FI2112345600000785'],
      ...['EUR999.50', '', creditorReference('SUB-7K3M9QXA')],
    ]);
  });

  test('can be scanned with any name, in at most 331 bytes', async () => {
    const accountHolder = '株式会社サンプル '.repeat(20).slice(0, 140);
    const text = codeOf({ seller: withAccount({ accountHolder }) }) ?? '';
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(331);
    expect([...(text.split('\n')[5] ?? '')]).toHaveLength(70);
    expect(await scanned(text)).toBe(text);
  });

  test('has a longer name cut at a character, so that it has at most 331 bytes', async () => {
    const accountHolder = '\u{1F600}'.repeat(70);
    const text = codeOf({ seller: withAccount({ accountHolder }), totalMinor: 99_999_999_999 }) ?? '';
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(331);
    expect(Buffer.byteLength(text)).toBeGreaterThan(331 - 4);
    expect(text.split('\n')[5]).toMatch(/^\u{1F600}+$/u);
    expect(await scanned(text)).toBe(text);
  });

  test.each<[string, Partial<Invoice>]>([
    ['in another currency', { currency: 'SEK' }],
    ['that is paid online', { gateway: 'stripe' }],
    ['of which credit paid all', { settledAtIssue: { fromCreditMinor: 129_900 } }],
    ['without an IBAN', { seller: { name: 'Acme' } }],
    ['of more than a transfer can have', { totalMinor: 100_000_000_000 }],
  ])('is not on an invoice %s', (_, changes) => {
    expect(codeOf(changes)).toBeUndefined();
  });
});

const withAccount = (changes: object): Invoice['seller'] => {
  const { name, banking } = anInvoice().seller;
  return { name, banking: { accountHolder: '', bankName: '', ...banking, ...changes } };
};

describe('the RF reference', () => {
  test('has the check digits of ISO 11649', () => {
    // An example of the standard.
    expect(isCreditorReference('RF18539007547034')).toBe(true);
    expect(isCreditorReference('RF19539007547034')).toBe(false);
    expect(creditorReference('SUB-7K3M9QXA')).toMatch(/^RF\d{2}7K3M9QXA$/);
  });

  // A letter counts as two digits, so that the check digits alone miss some letters in the place of a digit.
  test('of every reference number is valid, and none with one wrong character is, together with its check character', () => {
    const wrong = fc.tuple(fc.nat(11), fc.constantFrom(...'0123456789ABCDEFGHJKMNPQRSTVWXYZ'));
    fc.assert(
      fc.property(
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        wrong,
        (numbers, [at, other]) => {
          const reference = creditorReference(generateReference(() => numbers.next().value));
          // The value of the module 97, computed with one number.
          const digits = (reference.slice(4) + reference.slice(0, 4)).replace(/[A-Z]/g, (letter) =>
            String(Number.parseInt(letter, 36)),
          );
          expect(BigInt(digits) % 97n).toBe(1n);
          const mistyped = reference.slice(0, at) + other + reference.slice(at + 1);
          const isTaken =
            isCreditorReference(mistyped) && parseReference(`SUB-${mistyped.slice(4)}`) !== undefined;
          expect(isTaken).toBe(mistyped === reference);
        },
      ),
    );
  });
});

import { base64Field, ivField } from '../../../../../functions/shared/fields/base64-field.ts';
import { CountryCode } from '../../../../../functions/shared/fields/country-code.ts';
import { IdempotencyKey } from '../../../../../functions/shared/fields/idempotency-key.ts';
import { cursorField, limitField } from '../../../../../functions/shared/fields/page.ts';
import { postalAddress } from '../../../../../functions/shared/fields/postal-address.ts';
import { lineField, linesField, notBlank } from '../../../../../functions/shared/fields/text.ts';
import { UserId } from '../../../../../functions/shared/fields/user-id.ts';
import { hasVatIdForm, VatId } from '../../../../../functions/shared/fields/vat-id.ts';
import { Bic, Iban, WrittenIban } from '../../../../../functions/shared/money/bank-account.ts';

interface Field {
  safeParse(value: unknown): {
    success: boolean;
    data?: unknown;
    error?: { issues: { message: string }[] } | undefined;
  };
}
/** The value of a text, or what is wrong with it. */
const read = (field: Field, value: unknown) => {
  const { success, data, error } = field.safeParse(value);
  return success ? data : error?.issues.map(({ message }) => message).join();
};
const isValid = (field: Field, value: unknown) => field.safeParse(value).success;

describe('a VAT identification number', () => {
  const nine = '123456789';
  /** Numbers of each form. Their last character is needed, and one more is too many unless it is listed. */
  const valid = [
    `ATU${nine.slice(1)} BE0${nine} BE1${nine} BG${nine} BG${nine}0 CY12345678L CZ12345678 CZ1234567890 DE${nine}`,
    `DK12345678 EE${nine} EL${nine} ESX1234567X ESX12345671 ES12345678X FI12345678 FRAB${nine} FR12${nine}`,
    `HR12345678901 HU12345678 IE1234567WI IE1+12345L IE1*12345L IE1A12345L IE1234567FA IT12345678901 LT${nine}`,
    `LT${nine}012 LU12345678 LV12345678901 MT12345678 NL${nine}B01 NL+*ABCDEFGH12 PL1234567890 PT${nine} RO12`,
    `RO1234567890 SE${nine}012 SI12345678 SK1234567890 XI${nine} XI${nine}012 XIGD123 XIHA123`,
    `US12 CHE-123.456.789 NO${'9'.repeat(20)} GB999`,
  ].flatMap((line) => line.split(' '));
  test.each(valid)('can be %s', (text) => expect(read(VatId, text)).toBe(text));

  const longer = new Set([`BG${nine}`, 'RO12', 'US12', 'GB999', 'CHE-123.456.789', 'CZ12345678']);
  test.each(valid)('cannot be %s with a character more, less, or other', (text) => {
    const lower = `${text.slice(0, -1)}a`;
    const wrong = [`x${text}`, ` ${text}`, lower, `${text}\n`, text.toLowerCase()];
    if (!longer.has(text)) wrong.push(`${text}0`);
    for (const one of wrong) expect(hasVatIdForm(one), one).toBe(false);
  });

  const invalid = [
    `DE D1 DE12345678 AT${nine} BE2123456789 BE0${nine.slice(1)} BG12345678 CY123456789 CZ1234567 DK1234567`,
    'EL12345678 ES123456789 ESX1234567- FROB123456789 FRIA123456789 HR1234567890 IE1234567XA IE1234567AJ',
    `IE1-12345L IEA234567L LT${nine}0 NL12345678B1 RO1 RO12345678901 SE${nine} XIGD12 XIHA1234 XIAB123 US1`,
    `NO${'9'.repeat(21)} USa1`,
  ].flatMap((line) => line.split(' '));
  test.each(['', 'US1 2', ...invalid])('cannot be %j', (text) => expect(hasVatIdForm(text)).toBe(false));

  test('says what is wrong', () => {
    expect(read(VatId, 'DE1')).toBe(
      'must have the form of a VAT identification number, with its prefix, without spaces',
    );
    expect(isValid(VatId, `US${'9'.repeat(23)}`)).toBe(false);
  });
});

describe('fields', () => {
  test('of Base64 have a number of bytes', () => {
    const field = base64Field(2, 3);
    expect(['AAA=', 'AAAA', 'AAA'].map((text) => isValid(field, text))).toEqual([true, true, true]);
    expect(read(field, 'AA==')).toBe('must hold 2 to 3 bytes, this holds 1');
    expect(read(field, 'AAAAAA')).toBe('must hold 2 to 3 bytes, this holds 4');
    expect(read(field, 'A')).toBe('must be Base64 (standard or URL alphabet, padding optional)');
    const iv = (bytes: number) => isValid(ivField, Buffer.alloc(bytes).toString('base64'));
    expect([0, 1, 64, 65].map(iv)).toEqual([false, true, true, false]);
  });

  test('of pages are numbers from 1, and cursors of a bounded length', () => {
    const limit = limitField(100, 'Links.');
    expect(['1', '10', '100', undefined].map((text) => read(limit, text))).toEqual([1, 10, 100, undefined]);
    for (const text of ['0', '01', '101', '-1', '+1', '1e1', '1.0', ' 1', '1 ', '', 'x'])
      expect(read(limit, text)).toBe('must be an integer from 1 to 100');
    expect([2_048, 2_049].map((length) => isValid(cursorField, 'a'.repeat(length)))).toEqual([true, false]);
    expect(isValid(cursorField, undefined)).toBe(true);
  });

  test('for opaque texts bound them', () => {
    expect(['!', '~'.repeat(255), '"a"'].map((text) => isValid(IdempotencyKey, text))).toEqual([
      true,
      true,
      true,
    ]);
    for (const text of ['', '~'.repeat(256), 'a b', 'é', 'a\n', '\na'])
      expect(read(IdempotencyKey, text)).toBe('must be 1 to 255 visible ASCII characters');
    expect(['a', 'é'.repeat(128)].map((text) => isValid(UserId, text))).toEqual([true, true]);
    expect(['', 'a'.repeat(129)].map((text) => isValid(UserId, text))).toEqual([false, false]);
    expect(read(UserId, 'a\ud800')).toBe('must be well-formed Unicode');
  });

  test('for texts of people bound them', () => {
    for (const field of [lineField(3), linesField(3)]) {
      expect(['abc', 'abcd', 'a\ud800'].map((text) => isValid(field, text))).toEqual([true, false, false]);
    }
    expect([isValid(lineField(3), ''), isValid(linesField(3), '')]).toEqual([false, true]);
    expect(read(lineField(9), 'a\n')).toBe(
      'must be one line without control characters and direction overrides',
    );
    expect(read(linesField(9), 'a\r')).toBe(
      'must have no control characters except tabs and line ends, and no direction overrides',
    );
    expect([isValid(linesField(9), 'a\r\nb'), isValid(linesField(9), '\r\r\n')]).toEqual([true, false]);
    const filled = lineField(9).check(notBlank);
    expect([' a ', ' ', '\u00a0'].map((text) => isValid(filled, text))).toEqual([true, false, false]);
    expect(isValid(linesField(3).check(notBlank), '')).toBe(true);
  });

  test('of a country take the 249 codes of ISO 3166-1, and name the code that is meant by another', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const pairs = letters.flatMap((first) => letters.map((second) => first + second));
    const taken = pairs.filter((code) => isValid(CountryCode, code));
    expect(taken).toHaveLength(249);
    expect(taken).toEqual(expect.arrayContaining(['AX', 'GB', 'GR', 'MC', 'RE', 'SS']));
    const refused = ['EL', 'UK', 'XI', 'EU', 'ZZ', 'AA', 'XK'];
    expect(refused.filter((code) => taken.includes(code))).toEqual([]);
    expect(['EL', 'UK', 'XI'].map((code) => read(CountryCode, code))).toEqual([
      'must be GR: EL is a prefix of VAT ids',
      'must be GB: UK is no code of ISO 3166-1',
      'must be GB: XI is a prefix of VAT ids',
    ]);
  });

  test('of a bank account are an IBAN with its length and check digits, and a BIC of 8 or 11', () => {
    const wrong = [
      'DE02120300000000202052',
      'DE021203000000002020510',
      // Right check digits, and a digit less, or a letter in place of digits.
      'DE4512030000000020205',
      'DE80A20300000000202051',
      'see our website',
      'ZZ68539007547034',
      '((',
      '',
    ];
    for (const field of [Iban, WrittenIban])
      for (const text of wrong) expect([text, isValid(field, text)]).toEqual([text, false]);
    for (const text of [
      'DE02120300000000202051',
      'FI2112345600000785',
      'NO9386011117947',
      'CH9300762011623852957',
    ])
      expect([read(WrittenIban, text), read(Iban, text)]).toEqual([text, text]);
    expect(isValid(Iban, 'DE02 1203 0000 0000 2020 51')).toBe(false);
    expect(read(WrittenIban, 'de02 1203 0000 0000 2020 51')).toBe('DE02120300000000202051');
    expect(['BYLADEM1001', 'COBADEFF', 'cobadeff'].map((text) => read(Bic, text))).toEqual([
      'BYLADEM1001',
      'COBADEFF',
      'COBADEFF',
    ]);
    for (const text of ['AB_CDE12', 'COBADEF', 'COBADEFFX', 'COBADEFFXXXX', ''])
      expect(isValid(Bic, text)).toBe(false);
  });

  test('of a postal address have lengths of their own', () => {
    const { line1, line2, postalCode, city, region, country } = postalAddress(lineField, CountryCode);
    const longest = (field: Field) =>
      [20, 100, 140].findLast((n) => isValid(field, 'a'.repeat(n)) && !isValid(field, 'a'.repeat(n + 1)));
    expect([line1, line2, postalCode, city, region].map(longest)).toEqual([140, 140, 20, 100, 100]);
    expect([line2, postalCode, region].map((field) => isValid(field, undefined))).toEqual([true, true, true]);
    expect([line1, city, country].map((field) => isValid(field, undefined))).toEqual([false, false, false]);
    expect(read(CountryCode, 'DE')).toBe('DE');
    for (const text of ['de', 'D', 'DEU', ' DE', '', 'toString'])
      expect(read(CountryCode, text)).toBe('must be an assigned code of ISO 3166-1 alpha-2, such as DE');
  });
});

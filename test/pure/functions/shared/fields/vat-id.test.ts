import {
  hasVatIdForm,
  memberStateOf,
  memberStates,
  VatId,
} from '../../../../../functions/shared/fields/vat-id.ts';

test.each([
  'DE123456789',
  'ATU12345678',
  'FR1X123456789',
  'NL123456789B01',
  'EL123456789',
  'CHE-123.456.789',
])('a VAT id has a form, by the country of its prefix: %s', (text) => expect(hasVatIdForm(text)).toBe(true));

test.each([
  'ELN',
  'DE12345678',
  'DE 123456789',
  'de123456789',
  '123456789',
  'AT12345678',
  '',
  'GRX1',
  'GR123456789',
  'XI12345678',
])('a VAT id has no other form: %j', (text) => expect(hasVatIdForm(text)).toBe(false));

test('a prefix of a member state has a form; Greece is EL, and the refusal of GR says so', () => {
  expect(memberStates.size).toBe(27);
  for (const state of memberStates) expect([state, hasVatIdForm(`${state}X1`)]).toEqual([state, false]);
  expect(['EL123456789', 'GR123456789', 'XI123456789', 'GB123456789'].map(memberStateOf)).toEqual([
    'GR',
    undefined,
    undefined,
    undefined,
  ]);
  const [issue] = VatId.safeParse('GRX1').error?.issues ?? [];
  expect(issue?.message).toBe('must begin with EL, the prefix of Greece in VAT ids');
});

import { expect, test } from 'vitest';
import { hasVatIdForm } from '../../../../../functions/shared/fields/vat-id.ts';

test.each([
  'DE123456789',
  'ATU12345678',
  'FR1X123456789',
  'NL123456789B01',
  'EL123456789',
  'CHE-123.456.789',
])('a VAT id has a form, by the country of its prefix: %s', (text) => expect(hasVatIdForm(text)).toBe(true));

test.each(['ELN', 'DE12345678', 'DE 123456789', 'de123456789', '123456789', 'AT12345678', ''])(
  'a VAT id has no other form: %j',
  (text) => expect(hasVatIdForm(text)).toBe(false),
);

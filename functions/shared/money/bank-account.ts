import { isValidIBAN } from 'ibantools';
import * as z from 'zod/mini';

/** Whether a text is an IBAN: the length of its country, and check digits by ISO/IEC 7064 MOD 97-10. */
export const isIban = (text: string): boolean => isValidIBAN(text);

const hasIbanForm = z.refine<string>(
  isIban,
  'must be an IBAN: its length is that of its country, and its check digits are right',
);

/** An IBAN, which people write in groups and in lower case. */
export const WrittenIban = z.string().check(
  z.maxLength(50),
  z.overwrite((text) => text.replaceAll(/\s/g, '').toUpperCase()),
  hasIbanForm,
);

/** A BIC: the party, the country and the location, and a branch. */
export const Bic = z.string().check(
  z.overwrite((text) => text.trim().toUpperCase()),
  z.regex(/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/, 'must be a BIC of 8 or 11 characters'),
);

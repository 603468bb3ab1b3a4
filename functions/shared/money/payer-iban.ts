import * as z from 'zod/mini';

/** The remainder of an IBAN, whose first four characters go to its end, by 97. A letter counts as two digits, from A as 10. */
const remainder = (text: string): number =>
  [...`${text.slice(4)}${text.slice(0, 4)}`].reduce((rest, one) => {
    const value = Number.parseInt(one, 36);
    return (rest * (value > 9 ? 100 : 10) + value) % 97;
  }, 0);

/**
 * The IBAN of a payer in the form of machines, with right check digits (ISO 13616, ISO/IEC 7064 MOD 97-10). The lengths of countries
 * are 18 KB of a bundle, for which a function of payments has no room.
 */
export const PayerIban = z.string().check(
  z.regex(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, 'must be an IBAN, without blanks'),
  z.refine((text) => remainder(text) === 1, 'must be an IBAN with right check digits'),
);

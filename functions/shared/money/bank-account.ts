import * as z from 'zod/mini';

/**
 * The form of an IBAN after its check digits, in each country, as the IBAN registry of SWIFT writes it: digits (n), letters (a), or both (c).
 * A test compares the table with that of the package `ibantools`, which takes 18 KB of a bundle.
 */
const structures =
  'AD8n12c AE19n AL8n16c AO21n AT16n AX14n AZ4a20c BA16n BE12n BF2c22n BG4a6n8c BH4a14c BI23n BJ2c22n BL10n11c2n BR23n1a1c BY4a4n16c CF23n CG23n CH5n12c CI1a23n CM23n CR18n CV21n CY8n16c CZ20n DE18n DJ23n DK14n DO4a20n DZ22n EE16n EG25n ES20n FI14n FK2a12n FO14n FR10n11c2n GA23n GB4a14n GE2c16n GF10n11c2n GI4a15c GL14n GP10n11c2n GQ23n GR7n16c GT24c GW2a19n HN4a20n HR17n HU24n IE4c14n IL19n IQ4a15n IR22n IS22n IT1a10n12c JO4a4n18c KM23n KW4a22c KZ3n13c LB4n20c LC4a24c LI5n12c LT16n LU3n13c LV4a13c LY21n MA24n MC10n11c2n MD20c ME18n MF10n11c2n MG23n MK3n10c2n ML2c22n MN16n MQ10n11c2n MR23n MT4a5n18c MU4a19n3a MZ21n NC10n11c2n NE2a22n NI4a20n NL4a10n NO11n OM3n16c PF10n11c2n PK4c16n PL24n PM10n11c2n PS4c21n PT21n QA4a21c RE10n11c2n RO4a16c RS18n RU14n15c SA2n18c SC4a20n3a SD14n SE20n SI15n SK20n SM1a10n12c SN2a22n SO19n ST21n SV4a20n TD23n TF10n11c2n TG2a22n TL19n TN20n TR5n17c UA6n19c VA18n VG4c16n WF10n11c2n XK16n YE4a4n18c YT10n11c2n';

const classes: Readonly<Record<string, string>> = { n: '[0-9]', a: '[A-Z]', c: '[A-Z0-9]' };

/** Whether a text has the length and the characters of its country. */
function hasFormOfCountry(text: string): boolean {
  const [, country, account = ''] = /^([A-Z]{2})[0-9]{2}(.+)$/.exec(text) ?? [];
  const structure = new RegExp(`\\b${country}(\\w+)`).exec(structures)?.[1];
  const form = structure?.replaceAll(/(\d+)([nac])/g, (_, count, kind) => `${classes[kind]}{${count}}`);
  return form !== undefined && new RegExp(`^${form}$`).test(account);
}

/** The remainder of an IBAN, whose first four characters go to its end, by 97. A letter counts as two digits, from A as 10. */
const remainder = (text: string): number =>
  [...`${text.slice(4)}${text.slice(0, 4)}`].reduce((rest, one) => {
    const value = Number.parseInt(one, 36);
    return (rest * (value > 9 ? 100 : 10) + value) % 97;
  }, 0);

/** Whether a text is an IBAN in the form of machines: the form of its country, and check digits by ISO/IEC 7064 MOD 97-10. */
export const isIban = (text: string): boolean => hasFormOfCountry(text) && remainder(text) === 1;

const hasIbanForm = z.refine<string>(
  isIban,
  'must be an IBAN: its length is that of its country, and its check digits are right',
);

export const Iban = z.string().check(hasIbanForm, z.meta({ pattern: '^[A-Z]{2}\\d{2}[A-Z0-9]{11,30}$' }));

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

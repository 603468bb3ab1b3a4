/**
 * Places whose tax is not that of the country of their addresses. A postal code decides where it can.
 * Directive 2006/112/EC, Article 6 (outside) and Article 7 (Monaco and the Isle of Man).
 */
import type { PostalAddress } from '../shared/fields/postal-address.ts';

export type TaxAddress = Pick<PostalAddress, 'country'> & { postalCode?: string | undefined };

/**
 * By the country of the address: the place, with its code of ISO 3166-1 where it has one, and its postal codes. Two places have Swiss ones
 * as well.
 */
const outside: Readonly<Record<string, readonly (readonly [place: string, postalCode: RegExp])[]>> = {
  DE: [
    ['Helgoland', /^27498$/],
    ['Büsingen', /^(?:78266|8238)$/],
  ],
  ES: [
    ['Canary Islands', /^(?:35|38)\d{3}$/],
    ['Ceuta and Melilla', /^5[12]\d{3}$/],
  ],
  FI: [['AX', /^22\d{3}$/]],
  FR: [
    ['GP', /^971(?!33|50)\d\d$/],
    ['BL', /^97133$/],
    ['MF', /^97150$/],
    ['MQ', /^972\d\d$/],
    ['GF', /^973\d\d$/],
    ['RE', /^974\d\d$/],
    ['PM', /^975\d\d$/],
    ['YT', /^976\d\d$/],
    ['WF', /^986\d\d$/],
    ['PF', /^987\d\d$/],
    ['NC', /^988\d\d$/],
  ],
  GR: [['Mount Athos', /^6308[67]$/]],
  IT: [
    ['Livigno', /^23041$/],
    ["Campione d'Italia", /^(?:22061|6911)$/],
  ],
};

const taxedAs: Readonly<Record<string, string>> = { IM: 'GB', MC: 'FR' };

/** The country whose tax an address has, by ISO 3166-1; the name of a place that has none. */
export function taxPlace({ country, postalCode = '' }: TaxAddress): string {
  const digits = postalCode.normalize('NFKC').replaceAll(/\D/g, '');
  const place = outside[country]?.find(([, codes]) => codes.test(digits))?.[0];
  return place ?? taxedAs[country] ?? country;
}

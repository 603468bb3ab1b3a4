import * as z from 'zod/mini';
import { described } from './described.ts';

export interface PostalAddress {
  line1: string;
  line2?: string | undefined;
  postalCode?: string | undefined;
  city: string;
  region?: string | undefined;
  /** ISO 3166-1 alpha-2, in upper case. */
  country: string;
}

/** The fields of a postal address. @param field one line of text. @param country a code, which requests check. */
export const postalAddress = (field: (maxLength: number) => z.ZodMiniString, country: z.ZodMiniString) => ({
  line1: field(140).check(described('Street and number, or a post-office box.', 'Hauptstraße 1')),
  line2: z.optional(field(140).check(described('Building, floor or department.'))),
  postalCode: z.optional(field(20).check(described('Postal code.', '10115'))),
  city: field(100).check(described('City or town.', 'Berlin')),
  region: z.optional(field(100).check(described('State, province or region.'))),
  country,
});

/** In a response, a code is any: some were stored before they were checked. */
export const AnyCountry = z
  .string()
  .check(described('ISO 3166-1 alpha-2.', 'DE'), z.meta({ pattern: '^[A-Z]{2}$' }));

export const Address = z.object(postalAddress(() => z.string(), AnyCountry));

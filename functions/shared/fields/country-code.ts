import { iso31661Alpha2ToAlpha3 } from 'iso-3166';
import * as z from 'zod/mini';
import { described } from './described.ts';

/** The code of a country by one that is used for it elsewhere. */
const mistaken = new Map<unknown, string>([
  ['EL', 'must be GR: EL is a prefix of VAT ids'],
  ['UK', 'must be GB: UK is no code of ISO 3166-1'],
  ['XI', 'must be GB: XI is a prefix of VAT ids'],
]);

/** An assigned code of ISO 3166-1 alpha-2. */
export const CountryCode = z.string().check(
  z.refine((code) => Object.hasOwn(iso31661Alpha2ToAlpha3, code), {
    error: ({ input }) => mistaken.get(input) ?? 'must be an assigned code of ISO 3166-1 alpha-2, such as DE',
  }),
  described('ISO 3166-1 alpha-2.', 'DE'),
  z.meta({ pattern: '^[A-Z]{2}$' }),
);

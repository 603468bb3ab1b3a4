import * as z from 'zod/mini';
import { described } from './described.ts';

/**
 * The forms of VAT identification numbers, without the prefix, as the European Commission lists them
 * (https://ec.europa.eu/taxation_customs/vies/, question 11), one for each member state. Greece uses EL. Check digits are not
 * checked, and nobody is asked whether the number is assigned.
 */
const forms: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^(?:[A-Z]\d{7}[A-Z\d]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z\d]{2}\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(?:\d[A-Z\d+*]\d{5}[A-Z]|\d{7}[A-W][A-I])$/,
  IT: /^\d{11}$/,
  LT: /^(?:\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z\d+*]{10}\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
};

/** Northern Ireland is treated as a member state for goods only. */
const northernIreland = /^(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/;

/** A number of another country: its form is unknown. */
const otherForm = /^[A-Z]{2}[A-Z\d.-]{2,20}$/;

/** Whether a text has the form of a VAT identification number of its country, without spaces. */
export function hasVatIdForm(text: string): boolean {
  const prefix = text.slice(0, 2);
  const form = prefix === 'XI' ? northernIreland : forms[prefix];
  return form === undefined ? prefix !== 'GR' && otherForm.test(text) : form.test(text.slice(2));
}

const countryOf = (prefix: string) => (prefix === 'EL' ? 'GR' : prefix);

/** The member states of the European Union, by ISO 3166-1 alpha-2. */
export const memberStates: ReadonlySet<string> = new Set(Object.keys(forms).map(countryOf));

/** The member state of a VAT id; undefined for one of another country. */
export function memberStateOf(vatId: string): string | undefined {
  const prefix = vatId.slice(0, 2);
  return Object.hasOwn(forms, prefix) ? countryOf(prefix) : undefined;
}

export const vatIdMeta = described(
  'VAT identification number, with the prefix of its country.',
  'DE123456789',
);

export const VatId = z.string().check(
  z.maxLength(24),
  z.refine(hasVatIdForm, {
    error: ({ input }) =>
      String(input).startsWith('GR')
        ? 'must begin with EL, the prefix of Greece in VAT ids'
        : 'must have the form of a VAT identification number, with its prefix, without spaces',
  }),
  vatIdMeta,
);

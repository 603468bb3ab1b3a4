import * as z from 'zod/mini';

/**
 * The forms of VAT identification numbers, without the prefix, as the European Commission lists them
 * (https://ec.europa.eu/taxation_customs/vies/, question 11). Greece uses EL, Northern Ireland XI. Check digits are not
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
  XI: /^(?:\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
};

/** A number of another country: its form is unknown. */
const otherForm = /^[A-Z]{2}[A-Z\d.-]{2,20}$/;

/** Whether a text has the form of a VAT identification number of its country, without spaces. */
export function hasVatIdForm(text: string): boolean {
  const form = forms[text.slice(0, 2)];
  return form === undefined ? otherForm.test(text) : form.test(text.slice(2));
}

export const VatId = z.string().check(
  z.maxLength(24),
  z.refine(
    hasVatIdForm,
    'must have the form of a VAT identification number, with its prefix, without spaces',
  ),
  z.meta({
    description: 'VAT identification number, with the prefix of its country.',
    examples: ['DE123456789'],
  }),
);

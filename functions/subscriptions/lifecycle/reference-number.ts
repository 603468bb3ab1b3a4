/**
 * Reference numbers: what a subscriber types into a bank transfer, and the finance team reads out of a statement.
 *
 * `SUB-` and eight characters of Crockford's base 32 (https://www.crockford.com/base32.html), which has no I, L, O or
 * U; the last one is a check. Crockford's own check is modulo 37 and needs five characters that are hard to type. This
 * one is a weighted sum over the field of 32 elements, each weight another power of a generator: any one wrong
 * character shows, and so do any two that changed places.
 */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const prefix = 'SUB-';
const digits = 7;

/** A reference number. @param random a number from 0 up to, not including, 1; drawn once for each character. */
export function generateReference(random: () => number): string {
  const drawn = Array.from({ length: digits }, () => Math.floor(random() * alphabet.length));
  return prefix + [...drawn, check(drawn)].map((value) => alphabet[value]).join('');
}

/**
 * A reference number as somebody typed it, in its one spelling: case, spaces and dashes make no difference, O is 0, and
 * I and L are 1. Undefined when it cannot be one: mistyped, for the check says so.
 */
export function parseReference(text: string): string | undefined {
  const typed = text.toUpperCase().replaceAll(/[\s-]/g, '').replace(/^SUB/, '');
  const values = [...typed.replaceAll('O', '0').replaceAll(/[IL]/g, '1')].map((letter) =>
    alphabet.indexOf(letter),
  );
  if (values.length !== digits + 1 || values.includes(-1)) return undefined;
  if (check(values.slice(0, digits)) !== values[digits]) return undefined;
  return prefix + values.map((value) => alphabet[value]).join('');
}

/** The eight characters, without the prefix. */
export function referenceCode(reference: string): string {
  return reference.slice(prefix.length);
}

function check(values: readonly number[]): number {
  // Horner's rule: the first character gets the highest power.
  return values.reduce((sum, value) => timesGenerator(sum ^ value), 0);
}

/** In GF(32) with x^5 + x^2 + 1, of which x is a generator. */
function timesGenerator(value: number): number {
  const doubled = value << 1;
  return doubled & 32 ? doubled ^ 0b100101 : doubled;
}

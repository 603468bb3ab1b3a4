/**
 * Reference numbers, which a subscriber types into a bank transfer and the finance team reads from a statement.
 *
 * `SUB-` and eight characters of Crockford's base 32 (https://www.crockford.com/base32.html), which has no I, L, O or
 * U. The last one is a check character. Crockford's own check is modulo 37 and needs five characters that are hard to
 * type. This one is a weighted sum over the field of 32 elements, with a different power of a generator as each weight:
 * it detects any wrong character and any two transposed ones.
 */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const prefix = 'SUB-';
const digits = 7;

/** Generates a reference number. @param random returns a number in [0, 1); called once for each character. */
export function generateReference(random: () => number): string {
  const drawn = Array.from({ length: digits }, () => Math.floor(random() * alphabet.length));
  return prefix + [...drawn, check(drawn)].map((value) => alphabet[value]).join('');
}

/**
 * The canonical form of a reference number as typed: case, spaces and dashes are ignored, O is read as 0, I
 * and L as 1. Undefined when the form or the check character is wrong.
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

export const referenceCode = (reference: string): string => reference.slice(prefix.length);

function check(values: readonly number[]): number {
  // Horner's rule: the first character has the highest power.
  return values.reduce((sum, value) => timesGenerator(sum ^ value), 0);
}

/** Multiplies by the generator x in GF(32) with the polynomial x^5 + x^2 + 1. */
function timesGenerator(value: number): number {
  const doubled = value << 1;
  return doubled & 32 ? doubled ^ 0b100101 : doubled;
}

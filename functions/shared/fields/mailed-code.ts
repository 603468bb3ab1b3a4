import * as z from 'zod/mini';

const digit = /\p{Nd}/gu;

/** The digits come in runs of ten, 0 to 9 (The Unicode Standard, section 4.6): those before a digit tell its value. */
function decimalValue(character: string): string {
  const at = character.codePointAt(0) ?? 0;
  let before = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(at - before - 1))) before += 1;
  return String(before % 10);
}

/**
 * The six digits of a code as people type and paste it: in any script, with any separators, such as blanks that are not seen.
 * Undefined when the text is no code.
 */
export function codeDigits(text: string): string | undefined {
  const digits = text.replaceAll(/[^\p{L}\p{N}]/gu, '').replaceAll(digit, decimalValue);
  return /^[0-9]{6}$/.test(digits) ? digits : undefined;
}

export const MailedCode = z.pipe(
  z.string().check(
    z.refine((text) => codeDigits(text) !== undefined, 'must be 6 digits'),
    z.meta({
      description: 'Six digits. Separators are ignored, and digits of any script are taken.',
      examples: ['123456'],
    }),
  ),
  z.transform((text: string) => codeDigits(text) ?? text),
);

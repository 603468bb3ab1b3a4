import { domainToASCII } from 'node:url';
import * as z from 'zod/mini';

const maxLength = 254;

/**
 * The one form of an e-mail address, or undefined when it is none that mail can be sent to.
 *
 * Upper and lower case, composed and decomposed characters, and both spellings of an international domain are
 * one address. Codes are counted, stored and **sent** under this form only: mail that went to the text as it was
 * typed could reach somebody whose address merely folds to the same (https://unicode.org/reports/tr36/).
 */
export function canonicalEmail(text: string): string | undefined {
  if (text.length > maxLength) return undefined;
  const folded = text.normalize('NFKC').toLowerCase();
  const at = folded.lastIndexOf('@');
  const domain = domainToASCII(folded.slice(at + 1));
  const email = `${folded.slice(0, at)}@${domain}`;
  // SES takes nothing but ASCII before the @; the check comes last, so that nothing folds into a line break.
  return at > 0 && email.length <= maxLength && z.safeParse(Email, email).success ? email : undefined;
}

const Email = z.email();

/** A field that holds an e-mail address; its value is the canonical form. */
export const EmailAddress = z.pipe(
  z.string().check(
    z.check<string>(({ value, issues }) => {
      if (canonicalEmail(value) === undefined)
        issues.push({ code: 'custom', input: value, message: 'must be an e-mail address, name@example.com' });
    }),
  ),
  z.transform((text: string) => canonicalEmail(text) ?? text),
);

import { domainToASCII } from 'node:url';
import * as z from 'zod/mini';

const maxLength = 254;

/**
 * The canonical form of an e-mail address, or undefined when mail cannot be sent to it.
 *
 * Upper and lower case, composed and decomposed characters, and both spellings of an international domain are the same
 * address. Codes are counted, stored and **sent** under the canonical form only. Mail to the address as typed could
 * reach a different person whose address folds to the same text (https://unicode.org/reports/tr36/).
 */
export function canonicalEmail(text: string): string | undefined {
  if (text.length > maxLength) return undefined;
  // In lower case first: NFKC makes of two cases of one letter (U+03F9, U+03F2) two letters.
  const folded = text.toLowerCase().normalize('NFKC').toLowerCase();
  const at = folded.lastIndexOf('@');
  const local = folded.slice(0, at);
  const domain = asciiDomain(folded.slice(at + 1));
  const email = `${local}@${domain}`;
  return at > 0 && domain !== undefined && localPart.test(local) && email.length <= maxLength
    ? email
    : undefined;
}

const atom = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
/**
 * Before the @, the dot-atom of RFC 5322 section 3.2.3. SES accepts only ASCII there, at most 64 characters (RFC 5321
 * section 4.5.3.1.1). An encoded word must not be in an address (RFC 2047 section 5): a mail program that decodes it sends
 * the mail to another address.
 */
const localPart = new RegExp(`^(?=.{1,64}$)(?!.*=\\?.*\\?=)${atom}(?:\\.${atom})*$`);

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** Labels of RFC 1035 section 2.3.4. The last label consists of letters, or is an international label in ASCII form. */
const hostName = new RegExp(`^(?:${label}\\.)+(?:[a-z]{2,63}|xn--${label})$`);

/** The ASCII form of a domain. Characters are checked first, because the conversion accepts all that a URL accepts. */
function asciiDomain(text: string): string | undefined {
  if (!/^[\p{L}\p{M}\p{N}.\u3002\u00AD-]+$/u.test(text)) return undefined;
  const domain = domainToASCII(text);
  return hostName.test(domain) ? domain : undefined;
}

export const EmailAddress = z.pipe(
  z.string().check(
    z.check<string>(({ value, issues }) => {
      if (canonicalEmail(value) === undefined)
        issues.push({ code: 'custom', input: value, message: 'must be an e-mail address, name@example.com' });
    }),
  ),
  z.transform((text: string) => canonicalEmail(text) ?? text),
);

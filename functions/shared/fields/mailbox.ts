/** Two names of one provider, which ignores dots before the @: https://support.google.com/mail/answer/7436150. */
const gmail = new Set(['gmail.com', 'googlemail.com']);

/**
 * The mailbox of an address: mail to `ann+shop@example.com` arrives at `ann@example.com` (subaddressing, RFC 5233), and mail
 * to `a.nn@googlemail.com` at `ann@gmail.com`. For counting only: where a provider takes the tag for a part of the name, two
 * mailboxes share a count.
 *
 * @param email in canonical form, as returned by `canonicalEmail`.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const plus = email.indexOf('+');
  const name = plus > 0 && plus < at ? email.slice(0, plus) : email.slice(0, at);
  return gmail.has(domain) ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}

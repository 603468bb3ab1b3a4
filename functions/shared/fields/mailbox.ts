/**
 * The mailbox of an address: mail to `ann+shop@example.com` arrives at `ann@example.com` (subaddressing, RFC 5233). For
 * counting only: where a provider takes the tag for a part of the name, two mailboxes share a count.
 *
 * @param email in canonical form, as returned by `canonicalEmail`.
 */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@');
  const local = email.slice(0, at);
  const plus = local.indexOf('+');
  return plus > 0 ? `${local.slice(0, plus)}${email.slice(at)}` : email;
}

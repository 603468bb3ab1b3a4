import { createHmac, timingSafeEqual } from 'node:crypto';
import { deploymentKey } from '../../shared/auth/deployment-key.ts';

/**
 * Links to the page on which an invoice is paid. Nothing is stored: the token is the invoice's id and a keyed hash of it,
 * so that the link is the same in every mail and only this deployment can make one.
 */

/** HMAC-SHA-256, its first 128 bits (RFC 2104 section 5) as 22 characters of base64url. */
async function mac(invoiceId: string): Promise<string> {
  const hash = createHmac('sha256', await deploymentKey('checkouts'))
    .update(invoiceId)
    .digest();
  return hash.subarray(0, 16).toString('base64url');
}

/** The address of an invoice's page. @param baseUrl where the API is reached, without a slash at the end. */
export async function checkoutUrl(baseUrl: string, invoiceId: string): Promise<string> {
  return `${baseUrl}/checkout/${invoiceId}.${await mac(invoiceId)}`;
}

/** The invoice that a token is for; undefined when it was not made here. */
export async function invoiceIdOf(token: string): Promise<string | undefined> {
  const dot = token.lastIndexOf('.');
  if (dot < 1) return undefined;
  const invoiceId = token.slice(0, dot);
  const given = Buffer.from(token.slice(dot + 1));
  const right = Buffer.from(await mac(invoiceId));
  return given.length === right.length && timingSafeEqual(given, right) ? invoiceId : undefined;
}

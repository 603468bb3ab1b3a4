/**
 * Links to the payment page of an invoice. Nothing is stored: the token is the invoice's id and a keyed hash of it, so
 * that the link is the same in every mail and only this deployment can create one.
 */
import { createHmac } from 'node:crypto';
import { deploymentKey } from '../shared/auth/deployment-key.ts';
import { isEqualInConstantTime } from '../shared/runtime/constant-time.ts';

/** HMAC-SHA-256, truncated to 128 bits (RFC 2104 section 5): 22 characters of base64url. */
async function mac(invoiceId: string): Promise<string> {
  const hash = createHmac('sha256', await deploymentKey('checkouts'))
    .update(invoiceId)
    .digest();
  return hash.subarray(0, 16).toString('base64url');
}

/** The URL of an invoice's payment page. @param baseUrl of the API, without a trailing slash. */
export async function checkoutUrl(baseUrl: string, invoiceId: string): Promise<string> {
  return `${baseUrl}/checkout/${invoiceId}.${await mac(invoiceId)}`;
}

/** The id of the invoice that a token is for; undefined when the token is forged. */
export async function invoiceIdOf(token: string): Promise<string | undefined> {
  const dot = token.lastIndexOf('.');
  if (dot < 1) return undefined;
  const invoiceId = token.slice(0, dot);
  return isEqualInConstantTime(token.slice(dot + 1), await mac(invoiceId)) ? invoiceId : undefined;
}

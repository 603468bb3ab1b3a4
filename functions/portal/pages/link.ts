/**
 * Links to the billing page of a subscription. The token is the id of the subscription, the version of the link, and a keyed
 * hash of both, so that only this deployment can create one. Only the version is stored: links of former versions are old.
 */
import { createHmac } from 'node:crypto';
import { deploymentKey } from '../../shared/auth/deployment-key.ts';
import { isEqualInConstantTime } from '../../shared/runtime/constant-time.ts';
import { isId } from '../../shared/runtime/ids.ts';

export interface BillingLink {
  subscriptionId: string;
  version: number;
}

/** HMAC-SHA-256, truncated to 128 bits (RFC 2104 section 5): 22 characters of base64url. */
async function mac(content: string): Promise<string> {
  const hash = createHmac('sha256', await deploymentKey('billing'))
    .update(content)
    .digest();
  return hash.subarray(0, 16).toString('base64url');
}

/** The token of a link: `<subscription id>.<version>.<hash>`. */
export async function billingToken({ subscriptionId, version }: BillingLink): Promise<string> {
  const content = `${subscriptionId}.${version}`;
  return `${content}.${await mac(content)}`;
}

/** The URL of a billing page. @param baseUrl of the API, without a trailing slash. */
export async function billingUrl(baseUrl: string, link: BillingLink): Promise<string> {
  return `${baseUrl}/billing/${await billingToken(link)}`;
}

/** The link of a token; undefined when the token is forged. The hash is compared in constant time. */
export async function billingLinkOf(token: string): Promise<BillingLink | undefined> {
  const dot = token.lastIndexOf('.');
  const content = token.slice(0, Math.max(dot, 0));
  if (!isEqualInConstantTime(token.slice(dot + 1), await mac(content))) return undefined;
  const [subscriptionId = '', version = ''] = content.split('.');
  return isId('sub', subscriptionId) ? { subscriptionId, version: Number(version) } : undefined;
}

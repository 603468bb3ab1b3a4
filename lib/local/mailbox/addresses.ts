import { addressParser } from 'postal-mime';
import { invalidParameter } from './ses-error.ts';

export interface Address {
  /** Display name, decoded; empty when there is none. */
  name: string;
  /** `local@domain`, in the case as sent. */
  address: string;
}

const addressPattern =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/i;

/**
 * Parses one address of a request: `local@domain` or `Name <local@domain>`.
 *
 * SES requires 7-bit text: a name with other characters is sent as RFC 2047 encoded words, a domain as Punycode.
 * Source: https://docs.aws.amazon.com/ses/latest/APIReference/API_SendEmail.html
 *
 * @throws SesError InvalidParameterValue
 */
export function parseAddress(value: string): Address {
  const [parsed, ...more] = addressParser(value);
  const isOne = more.length === 0 && parsed?.address !== undefined && addressPattern.test(parsed.address);
  if (!isOne || /[^ -~]/.test(value)) throw invalidParameter('Illegal address');
  return { name: parsed.name, address: parsed.address };
}

/** `Name <local@domain>`, for people to read. */
export function formatAddress({ name, address }: Address): string {
  return name === '' ? address : `${name} <${address}>`;
}

/**
 * Whether SES would send from an address: its domain or a parent domain is verified.
 *
 * Source: https://docs.aws.amazon.com/ses/latest/dg/creating-identities.html
 */
export function isVerified(address: string, domains: readonly string[]): boolean {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase();
  return domains.some((verified) => `.${domain}`.endsWith(`.${verified.toLowerCase()}`));
}

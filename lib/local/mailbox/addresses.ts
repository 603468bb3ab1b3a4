import { decodeWords } from 'postal-mime';
import { invalidParameter } from './ses-error.ts';

export interface Address {
  /** Display name, decoded; empty when there is none. */
  name: string;
  /** `local@domain`, in the case as sent. */
  address: string;
}

/** Control characters, including the line breaks of a header injection. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\x00-\x1f\x7f]/;
/** An RFC 5322 phrase, and the unquoted dots of "Acme Inc.", which are widely accepted. */
const displayName = /^(?:"(?:[^"\\]|\\.)*"|[^"<>()[\]:;@\\,]*)$/;
const localPart = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const label = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/**
 * Parses one address of a request: `local@domain` or `Name <local@domain>`.
 *
 * SES requires 7-bit text: a name with other characters is sent as RFC 2047 encoded words, a domain as Punycode.
 * Source: https://docs.aws.amazon.com/ses/latest/APIReference/API_SendEmail.html
 *
 * @throws SesError InvalidParameterValue
 */
export function parseAddress(value: string): Address {
  if (control.test(value)) throw invalidParameter('Local address contains control or whitespace');
  const [, phrase = '', angled] = /^([^<]*)<([^<>]*)>$/.exec(value.trim()) ?? [];
  const name = phrase.trim();
  if (!displayName.test(name)) throw invalidParameter('Illegal address');
  if (/[^ -~]/.test(name)) throw invalidParameter('Display name has to be encoded as RFC 2047 says');
  const address = (angled ?? value).trim();
  checkAddress(address);
  const unquoted = name.startsWith('"') ? name.slice(1, -1).replaceAll(/\\(.)/g, '$1') : name;
  return { name: decodeWords(unquoted), address };
}

/**
 * Refuses an address that is not `local@[subdomain.]domain.tld`.
 *
 * @throws SesError InvalidParameterValue
 */
export function checkAddress(address: string): void {
  const at = address.lastIndexOf('@');
  if (at < 0) throw invalidParameter("Missing final '@domain'");
  const local = address.slice(0, at);
  const labels = address.slice(at + 1).split('.');
  if (local === '') throw invalidParameter('Missing local name');
  if (control.test(local) || /\s/.test(local)) {
    throw invalidParameter('Local address contains control or whitespace');
  }
  if (local.length > 64 || !localPart.test(local)) {
    throw invalidParameter('Local address contains illegal character');
  }
  if (labels.at(-1) === '') throw invalidParameter('Missing domain');
  if (labels.length < 2 || address.length - at > 254 || !labels.every((part) => label.test(part))) {
    throw invalidParameter('Domain contains illegal character');
  }
}

/** `Name <local@domain>`, for people to read. */
export function formatAddress({ name, address }: Address): string {
  return name === '' ? address : `${name} <${address}>`;
}

/**
 * Whether SES would send from an address: the address, with or without its `+label`, or its domain or a parent domain is
 * verified. Addresses are case-sensitive, domains are not.
 *
 * Source: https://docs.aws.amazon.com/ses/latest/dg/creating-identities.html
 *
 * @param identities verified addresses and domains.
 */
export function isVerified(address: string, identities: readonly string[]): boolean {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1).toLowerCase();
  const unlabelled = address.slice(0, at).split('+', 1) + address.slice(at);
  return identities.some((identity) =>
    identity.includes('@')
      ? identity === address || identity === unlabelled
      : `.${domain}`.endsWith(`.${identity.toLowerCase()}`),
  );
}

/**
 * Web addresses with a public host. Nothing is requested: the checks are on the text alone.
 *
 * The text is parsed like in a browser (https://url.spec.whatwg.org/), which normalizes every notation of a
 * host: octal and hexadecimal numbers, full-width digits, percent-encoded and international names. The rules
 * apply to the result. Text that a browser would silently repair is refused beforehand.
 */
import ipaddr from 'ipaddr.js';
import * as z from 'zod/mini';

const maxLength = 2048;

/**
 * Top-level domains that are never public: RFC 6761, 6762, 7686, 9476, and `internal`, which ICANN reserved. `example`
 * and `test` are not public either, but documentation and tests use them, and they resolve to nothing.
 */
const privateTopLevels = new Set(['localhost', 'local', 'internal', 'invalid', 'onion', 'alt', 'arpa']);

/** The normal form of an address, or the problem as the end of a sentence. */
export type ParsedWebAddress = { normal: string } | { problem: string };

/**
 * Parses an absolute http or https address.
 *
 * The normal form is the serialization of the URL standard (lowercase scheme and host, international names in
 * ASCII, no default port, no dot segments) without a trailing dot in the host, so that two spellings of one
 * address compare equal.
 */
export function parseWebAddress(text: string): ParsedWebAddress {
  if (text.length > maxLength) return { problem: `must be at most ${maxLength} characters long` };
  const malformed = { problem: 'must be an absolute http or https URL' };
  // Browsers drop or replace white space, control characters and backslashes, which yields a different address.
  if (/[\p{Cc}\p{White_Space}\\]/u.test(text) || !text.isWellFormed()) return malformed;
  // Marks as well: a browser encodes them, and the text that people read hides them.
  if (/\p{Bidi_Control}/u.test(text)) return { problem: 'must have no direction marks or overrides' };
  const [, authority] = /^https?:\/\/([^/?#]+)/i.exec(text) ?? [];
  if (authority === undefined || !URL.canParse(text)) return malformed;
  if (authority.includes('@')) return { problem: 'must not hold a user name or password' };
  const url = new URL(text);
  const host = url.hostname.replace(/\.$/, '');
  if (!couldBePublic(host)) return { problem: 'must have a host that could be public' };
  url.hostname = host;
  return { normal: url.href };
}

/** The normal form of a valid address. @throws Error when the address is not valid. */
export function normalWebAddress(text: string): string {
  const parsed = parseWebAddress(text);
  if ('problem' in parsed) throw new Error('The address was not validated');
  return parsed.normal;
}

/** A field for a web address. Its value is preserved as sent. */
export const WebAddress = z.string().check(
  z.check<string>(({ value, issues }) => {
    const parsed = parseWebAddress(value);
    if ('problem' in parsed) issues.push({ code: 'custom', input: value, message: parsed.problem });
  }),
  z.meta({ format: 'uri', maxLength, examples: ['https://www.youtube.com/@ann'] }),
);

/** @param host as serialized by the URL parser: lowercase ASCII, IPv4 as four decimals; without a trailing dot. */
function couldBePublic(host: string): boolean {
  if (host.startsWith('[')) return isPublicIPv6(ipaddr.IPv6.parse(host.slice(1, -1)));
  if (ipaddr.IPv4.isValidFourPartDecimal(host)) return isPublicIPv4(ipaddr.IPv4.parse(host));
  return isPublicName(host);
}

function isPublicName(host: string): boolean {
  const labels = host.split('.');
  const topLevel = labels.at(-1) ?? '';
  return (
    labels.length > 1 &&
    host.length <= 253 &&
    // Subdomains with underscores exist, although RFC 1123 excludes them.
    labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label)) &&
    /^([a-z]{2,}|xn--[a-z0-9-]+)$/.test(topLevel) &&
    !privateTopLevels.has(topLevel)
  );
}

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast';
}

/** Only 2000::/3 is allocated for public use. An address that embeds an IPv4 address is public when that one is. */
function isPublicIPv6(address: ipaddr.IPv6): boolean {
  const embedded = embeddedIPv4(address);
  if (embedded !== undefined) return isPublicIPv4(embedded);
  return address.range() === 'unicast' && address.match(ipaddr.IPv6.parse('2000::'), 3);
}

/** Prefixes of IPv6 addresses that embed an IPv4 address, and the byte at which it begins. */
const embeddings = [
  // IPv4-mapped and, deprecated, IPv4-compatible: RFC 4291 section 2.5.5.
  { prefix: '::ffff:0:0', bits: 96, at: 12 },
  { prefix: '::', bits: 96, at: 12 },
  // NAT64: RFC 6052. Its local prefix (RFC 8215) belongs to private networks and is refused.
  { prefix: '64:ff9b::', bits: 96, at: 12 },
  // 6to4: RFC 3056.
  { prefix: '2002::', bits: 16, at: 2 },
] as const;

function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const embedding = embeddings.find(({ prefix, bits }) => address.match(ipaddr.IPv6.parse(prefix), bits));
  return embedding && new ipaddr.IPv4(address.toByteArray().slice(embedding.at, embedding.at + 4));
}

/**
 * Addresses of pages that everybody could open. Nothing is ever requested: this is about the text alone.
 *
 * The text is parsed as browsers do (https://url.spec.whatwg.org/), which brings every notation of an address into
 * one: numbers in octal or hex, full-width digits, percent-encoded or international hosts. The rules look at the
 * result, and refuse beforehand what a browser would silently repair.
 */
import ipaddr from 'ipaddr.js';
import * as z from 'zod/mini';

const maxLength = 2048;

/**
 * Top-level names that never are public: RFC 6761, 6762, 7686, 9476, and `internal`, which ICANN set aside.
 * `example` and `test` are never public either; documentation and trials use them, and they lead nobody anywhere.
 */
const privateTopLevels = new Set(['localhost', 'local', 'internal', 'invalid', 'onion', 'alt', 'arpa']);

/** The normal form of an address, or what is wrong with it, as the end of a sentence. */
export type WebAddressReading = { normal: string } | { problem: string };

/**
 * Reads an absolute http or https address.
 *
 * The normal form is what the URL standard serializes (scheme and host in lower case, international names in ASCII,
 * no default port, no dot segments), less a dot at the end of the host, so that two spellings of one address compare.
 */
export function readWebAddress(text: string): WebAddressReading {
  if (text.length > maxLength) return { problem: `must be at most ${maxLength} characters long` };
  const malformed = { problem: 'must be an absolute http or https URL' };
  // Browsers drop or replace these (white space, control characters, backslashes): the address would be another.
  if (/[\p{Cc}\p{White_Space}\\]/u.test(text) || !text.isWellFormed()) return malformed;
  const [, authority] = /^https?:\/\/([^/?#]+)/i.exec(text) ?? [];
  if (authority === undefined || !URL.canParse(text)) return malformed;
  if (authority.includes('@')) return { problem: 'must not hold a user name or password' };
  const url = new URL(text);
  const host = url.hostname.replace(/\.$/, '');
  if (!couldBePublic(host)) return { problem: 'must have a host that could be public' };
  url.hostname = host;
  return { normal: url.href };
}

/**
 * The normal form of an address that has been checked.
 * @throws Error when it was not.
 */
export function normalWebAddress(text: string): string {
  const reading = readWebAddress(text);
  if ('problem' in reading) throw new Error('The address was not checked before');
  return reading.normal;
}

/** A field that holds such an address; its value stays as it was sent. */
export const WebAddress = z.string().check(
  z.check<string>(({ value, issues }) => {
    const reading = readWebAddress(value);
    if ('problem' in reading) issues.push({ code: 'custom', input: value, message: reading.problem });
  }),
  z.meta({ format: 'uri', maxLength, examples: ['https://www.youtube.com/@ann'] }),
);

/** @param host as the URL parser left it: in lower case and ASCII, numbers as four decimals, without a dot at its end. */
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
    // Underscores stand in names of subdomains, against RFC 1123, and are served.
    labels.every((label) => /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/.test(label)) &&
    /^([a-z]{2,}|xn--[a-z0-9-]+)$/.test(topLevel) &&
    !privateTopLevels.has(topLevel)
  );
}

function isPublicIPv4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast';
}

/** Only 2000::/3 is given out to the public; an IPv4 address inside is what counts where there is one. */
function isPublicIPv6(address: ipaddr.IPv6): boolean {
  const inside = embeddedIPv4(address);
  if (inside !== undefined) return isPublicIPv4(inside);
  return address.range() === 'unicast' && address.match(ipaddr.IPv6.parse('2000::'), 3);
}

/** Where the 32 bits of an IPv4 address begin (in bytes), by the prefix that says they are there. */
const embeddings = [
  // IPv4-mapped and, deprecated, IPv4-compatible: RFC 4291 section 2.5.5.
  { prefix: '::ffff:0:0', bits: 96, at: 12 },
  { prefix: '::', bits: 96, at: 12 },
  // NAT64: RFC 6052. Its local prefix (RFC 8215) leads into a private network and stays refused.
  { prefix: '64:ff9b::', bits: 96, at: 12 },
  // 6to4: RFC 3056.
  { prefix: '2002::', bits: 16, at: 2 },
] as const;

function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const found = embeddings.find(({ prefix, bits }) => address.match(ipaddr.IPv6.parse(prefix), bits));
  return found && new ipaddr.IPv4(address.toByteArray().slice(found.at, found.at + 4));
}

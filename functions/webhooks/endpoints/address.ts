/** The addresses to which events may be delivered: of strangers' choice, so never inside a network. */
import ipaddr from 'ipaddr.js';
import { parseWebAddress } from '../../shared/fields/web-address.ts';

const maxLength = 2_048;
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);
/** Ports below are those of other services of a host, such as SSH and SMTP. */
const firstUnprivilegedPort = 1_024;
/** The only block of IPv6 that is allocated for public use: https://www.iana.org/assignments/ipv6-address-space */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address is one of the public internet, by the IANA registries of special-purpose addresses (RFC 6890).
 *
 * Refused are private, shared (100.64.0.0/10), loopback, link-local with the metadata services of clouds, multicast,
 * broadcast, documentation and reserved ranges. An IPv6 address that stands for an IPv4 address (mapped, compatible, NAT64,
 * 6to4, Teredo) is refused whatever the IPv4 address is: a network may translate it.
 *
 * @param text as a DNS answer has it, or as the URL parser leaves the host (an IPv6 address in brackets).
 * @returns false also for a text that is no address.
 */
export function isPublicAddress(text: string): boolean {
  const bare = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare).range() === 'unicast';
  // A zone names an interface of this machine.
  if (bare.includes('%') || !ipaddr.IPv6.isValid(bare)) return false;
  const address = ipaddr.IPv6.parse(bare);
  return address.range() === 'unicast' && address.match(globalUnicast);
}

/** Whether the host of a URL is an IP address, and not a name. */
const isAddress = (host: string): boolean => host.startsWith('[') || ipaddr.IPv4.isValidFourPartDecimal(host);

/**
 * Parses the URL of a webhook: https, port 443 or from 1024, a public name or address, no credentials, no fragment. A name
 * may still resolve to any address, which the sender checks at every attempt.
 *
 * @param options.allowLoopback also allows http to this machine, for the local stack.
 * @returns the normal form of the URL standard, or the problem as the end of a sentence.
 */
export function parseWebhookUrl(
  text: string,
  { allowLoopback }: { allowLoopback: boolean },
): { normal: string } | { problem: string } {
  if (text.length > maxLength) return { problem: `must be at most ${maxLength} characters long` };
  if (text.includes('#')) return { problem: 'must have no fragment' };
  if (allowLoopback && isLoopback(text)) return { normal: new URL(text).href };
  const parsed = parseWebAddress(text);
  if ('problem' in parsed) return parsed;
  const url = new URL(parsed.normal);
  const { protocol, hostname } = url;
  if (protocol !== 'https:') return { problem: 'must be an https URL' };
  if (isAddress(hostname) && !isPublicAddress(hostname)) return { problem: 'must have a public host' };
  if (!hasAllowedPort(url)) return { problem: `must have port 443, or one from ${firstUnprivilegedPort} on` };
  return parsed;
}

/** Whether the port of a URL is that of its protocol, which the URL parser leaves out, or belongs to no other protocol. */
export function hasAllowedPort({ port }: URL): boolean {
  return port === '' || Number(port) >= firstUnprivilegedPort;
}

function isLoopback(text: string): boolean {
  if (!/^http:\/\/[^\s@\\]+$/.test(text) || !URL.canParse(text)) return false;
  return loopbackHosts.has(new URL(text).hostname);
}

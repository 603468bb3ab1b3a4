import ipaddr from 'ipaddr.js';

/**
 * The rate limit key of a client address: an IPv4 address, or the /64 of an IPv6 address, since one
 * subscriber gets at least that many addresses (RFC 6177). An IPv4-mapped IPv6 address counts as the IPv4
 * address.
 *
 * @param sourceIp the peer of API Gateway, never from a header. All callers without a valid address share one
 * key.
 */
export function clientKey(sourceIp: string | undefined): string {
  return prefixOf(sourceIp, 64);
}

/**
 * The address block of a client: an IPv4 address, or the /48 of an IPv6 address. A /48 is what one customer of a hosting
 * or tunnel provider gets at most (RFC 6177), so its 65,536 networks of /64 count as one (decision 31).
 *
 * @param sourceIp as for `clientKey`.
 */
export function addressBlock(sourceIp: string | undefined): string {
  return prefixOf(sourceIp, 48);
}

/** The block of all callers without a valid address. */
export const unknownBlock = 'unknown';

function prefixOf(sourceIp: string | undefined, bits: 48 | 64): string {
  if (sourceIp === undefined || !ipaddr.isValid(sourceIp)) return unknownBlock;
  const address = ipaddr.process(sourceIp);
  if (address.kind() === 'ipv4') return address.toString();
  const { parts } = address as ipaddr.IPv6;
  return `${parts
    .slice(0, bits / 16)
    .map((part) => part.toString(16))
    .join(':')}::/${bits}`;
}

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
  if (sourceIp === undefined || !ipaddr.isValid(sourceIp)) return 'unknown';
  const address = ipaddr.process(sourceIp);
  if (address.kind() === 'ipv4') return address.toString();
  const { parts } = address as ipaddr.IPv6;
  return `${parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}

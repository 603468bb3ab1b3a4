import ipaddr from 'ipaddr.js';

/**
 * What a client address counts as: IPv4 whole, IPv6 by its /64, since one subscriber gets at least that many
 * addresses (RFC 6177). An IPv4 address mapped into IPv6 is the IPv4 address.
 *
 * @param sourceIp what API Gateway saw, never a header. Absent or unreadable, all such callers share one count.
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

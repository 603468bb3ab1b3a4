import { isIP } from 'node:net';

/**
 * The rate limit key of a client address: an IPv4 address, or the /64 of an IPv6 address, since one subscriber gets at
 * least that many addresses (RFC 6177). An IPv4-mapped IPv6 address counts as the IPv4 address.
 *
 * @param sourceIp the peer of API Gateway, never from a header. All callers without a valid address share one key.
 */
export const clientKey = (sourceIp: string | undefined): string => prefixOf(sourceIp, 64);

/**
 * The address block of a client: an IPv4 address, or the /48 of an IPv6 address. A /48 is what one customer of a hosting
 * or tunnel provider gets at most (RFC 6177), so its 65,536 networks of /64 count as one.
 *
 * @param sourceIp as for `clientKey`.
 */
export const addressBlock = (sourceIp: string | undefined): string => prefixOf(sourceIp, 48);

/** The block of all callers without a valid address. */
export const unknownBlock = 'unknown';

function prefixOf(sourceIp: string | undefined, bits: 48 | 64): string {
  // A zone names an interface of the machine that writes the address.
  const bare = sourceIp?.replace(/%.*$/, '') ?? '';
  const version = isIP(bare);
  if (version === 0) return unknownBlock;
  if (version === 4) return bare;
  const groups = groupsOf(bare);
  const mapped = mappedIPv4(groups);
  return mapped ?? `${groups.slice(0, bits / 16).join(':')}::/${bits}`;
}

/** The eight groups of an IPv6 address, in lower case without leading zeros, as the URL standard writes them. */
function groupsOf(address: string): string[] {
  const normal = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = normal.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = new Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail];
}

/** The IPv4 address that an address of ::ffff:0:0/96 stands for (RFC 4291, section 2.5.5.2). */
function mappedIPv4(groups: readonly string[]): string | undefined {
  if (groups.slice(0, 6).join(':') !== '0:0:0:0:0:ffff') return undefined;
  const halves = groups.slice(6).map((group) => Number.parseInt(group, 16));
  return halves.flatMap((half) => [half >> 8, half & 0xff]).join('.');
}

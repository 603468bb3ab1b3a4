/** Where a delivery may go. Pure: `sender.ts` resolves the name, and connects. */
import { hasAllowedPort, isPublicAddress } from '../endpoints/address.ts';
import type { SendError } from './send-errors.ts';

const isPlain = ({ protocol }: URL) => protocol === 'http:';

/** Whether the protocol and the port of a URL are allowed: https, and on the local stack http. */
export function isAllowedUrl(url: URL, allowsLoopback: boolean): boolean {
  return (url.protocol === 'https:' || (isPlain(url) && allowsLoopback)) && hasAllowedPort(url);
}

/** The host as `net` takes it: IPv6 addresses without brackets. */
export const hostnameOf = ({ hostname }: URL): string =>
  hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;

/**
 * Why a connection to a host is refused; undefined when it may go to any of its addresses. One address that is refused
 * refuses all: an honest name has no such address.
 *
 * @param addresses every address of the host.
 */
export function refusalOf(
  url: URL,
  addresses: readonly string[],
  allowsLoopback: boolean,
): SendError | undefined {
  const isAllowed = (address: string) =>
    (allowsLoopback && isOfThisMachine(address)) || (!isPlain(url) && isPublicAddress(address));
  if (addresses.length === 0) return 'dns';
  return addresses.every(isAllowed) ? undefined : 'refused_address';
}

const isOfThisMachine = (address: string) => address === '::1' || /^127(\.\d{1,3}){3}$/.test(address);

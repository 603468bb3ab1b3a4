/** The base URL of the API and the operator key. */
export interface Connection {
  url: string;
  key: string;
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Parses the address of the API.
 *
 * @returns the address without slashes at its end, or undefined when it is not http(s), or has more than a host, a
 * port and a path.
 */
export function parseAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== '') return undefined;
  // An empty query or fragment is absent from `search` and `hash`, but not from the address.
  return /[?#]/.test(text) ? undefined : `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** Whether requests to an address leave the machine without TLS. */
export function isReadableInTransit(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !loopback.has(hostname);
}

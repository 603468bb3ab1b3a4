import type { IncomingMessage } from 'node:http';

/** Names that no resolver of a network decides. `*.localhost` is not among them: some resolvers ask the network for it. */
const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{0,5})?$/i;

/**
 * Whether every host that a request names is this server. A page of another site can let its own name lead to 127.0.0.1 (DNS
 * rebinding): to the browser this server is then that site, and the name in the request alone tells. The port tells nothing, and
 * is another one where a port is forwarded. A request without a host is of no browser.
 *
 * @param publicUrl the address under which a proxy of the caller's reaches this server.
 */
export function namesOwnHost({ headersDistinct, url = '' }: IncomingMessage, publicUrl?: string): boolean {
  const publicHost = URL.parse(publicUrl ?? '')?.host;
  // A proxy sends the absolute form of the target.
  const hosts = (headersDistinct.host ?? []).concat(/^https?:\/\/([^/?]*)/i.exec(url)?.slice(1) ?? []);
  return hosts.every((host) => loopback.test(host) || host.toLowerCase() === publicHost);
}

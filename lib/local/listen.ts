import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';

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

export interface Listening {
  url: string;
  /** Gives pending requests a moment to finish, then closes every connection. */
  close(): Promise<void>;
}

const graceMs = 300;

/** Listens on the loopback interface only. */
export async function listen(server: Server, port: number, host = '127.0.0.1'): Promise<Listening> {
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://${host}:${address.port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(late);
    },
  };
}

/**
 * The local endpoint of an AWS service, on its own port, for requests to this machine by its own names only.
 *
 * The `Date` header follows the clock of the process. Node.js would send the system time, and an SDK that sees another
 * time than its own attributes every refusal to the age of its signature and sends the request again.
 */
export function listenEndpoint(listener: RequestListener): Promise<Listening> {
  const dated: RequestListener = (request, response) => {
    response.setHeader('date', new Date().toUTCString());
    if (!namesOwnHost(request)) return response.writeHead(403).end();
    return listener(request, response);
  };
  return listen(createServer(dated), 0);
}

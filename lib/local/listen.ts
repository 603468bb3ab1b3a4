import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { namesOwnHost } from './http/own-host.ts';

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

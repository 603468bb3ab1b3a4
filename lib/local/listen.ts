import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';

export interface Listening {
  url: string;
  /** Answers what is under way for a moment, then ends every connection. */
  close(): Promise<void>;
}

const graceMs = 300;

/**
 * Listens on the loopback interface only.
 *
 * @param port 0 takes any that is free.
 * @throws Error with code EADDRINUSE when the port is taken.
 */
export async function listen(server: Server, port: number): Promise<Listening> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
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
 * A stand-in for a service of AWS, on a port of its own.
 *
 * Its `Date` header shows the clock that the process has now. Node.js would send the system's, and an SDK that
 * sees another time than its own takes any refusal for one of its signature's age, and sends the request again.
 */
export function listenEndpoint(listener: RequestListener): Promise<Listening> {
  const dated: RequestListener = (request, response) => {
    response.setHeader('date', new Date().toUTCString());
    return listener(request, response);
  };
  return listen(createServer(dated), 0);
}

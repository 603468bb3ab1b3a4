import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { generate } from 'selfsigned';

/** The address that the pictures show. */
const publicHost = 'vouchsafe.example';
export const publicUrl = `https://${publicHost}`;

/** A server that speaks TLS and hands all requests to the local stack, as API Gateway does for its functions. */
export async function startFront(url: string): Promise<{ args: string[]; close: () => void }> {
  const { cert, private: key } = await generate([{ name: 'commonName', value: publicHost }]);
  const server = createServer({ cert, key }, (asked, answer) => {
    const { method, headers } = asked;
    const onward = request(`${url}${asked.url}`, { method, headers: { ...headers, host: publicHost } });
    onward.on('response', (response) => {
      answer.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(answer);
    });
    onward.on('error', () => answer.destroy());
    asked.pipe(onward);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    /** Of Chromium: the public address leads here, and so does that of a client, to which the consent page redirects. */
    args: [`--host-resolver-rules=MAP *:443 127.0.0.1:${port}`],
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

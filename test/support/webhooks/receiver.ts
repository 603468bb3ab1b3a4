import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook as Verifier } from 'standardwebhooks';

/** A delivery to a receiver, and whether its signature verifies. */
interface Received {
  id: string;
  type: string;
  sequence: number;
  isVerified: boolean;
  atMs: number;
  headers: Record<string, string>;
  body: string;
}

/** A receiver written with `standardwebhooks` alone. */
export interface Receiver {
  url: string;
  /** The secret with which it verifies. */
  secret: string;
  readonly received: readonly Received[];
  /** How it answers; 200 by default. A promise that never settles never answers. */
  behave(answer: (response: ServerResponse, received: Received) => unknown): void;
}

/** A signing secret of the tests. */
export const newSecret = () => `whsec_${Buffer.from(randomUUID().slice(0, 32)).toString('base64')}`;

export async function startReceiver() {
  const secret = newSecret();
  const received: Received[] = [];
  let answer: (response: ServerResponse, one: Received) => unknown = (response) => response.end('ok');
  const server = createServer(async (request: IncomingMessage, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const headers = request.headers as Record<string, string>;
    const { id, type, sequence } = JSON.parse(body);
    const isVerified = verifies(secret, body, headers);
    const one = { id, type, sequence, isVerified, atMs: Date.now(), headers, body };
    received.push(one);
    await answer(response, one);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    secret,
    received,
    behave(behaviour) {
      answer = behaviour;
    },
  };
  return { server, receiver };
}

/** Whether a receiver with this secret takes the request. */
function verifies(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Verifier(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

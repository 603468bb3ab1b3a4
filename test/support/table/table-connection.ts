/**
 * Sends the SDK's requests to the embedded engine over plain sockets, under one constant signature: signing and
 * `node:http` take two thirds of the processor time of a call, and the suite makes hundreds of thousands of calls.
 * Middleware, marshalling, errors and retries stay the SDK's own. On another engine nothing is replaced.
 *
 * The client's own connection with its timeouts is tested in table.test.ts: after `vi.resetModules()` the table is
 * imported anew, and is not touched here.
 */

import { connect, type Socket } from 'node:net';
import { dynamodb } from '../../../functions/shared/table/client.ts';

interface Request {
  port?: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

interface Response {
  statusCode: number;
  headers: Record<string, string>;
  body: Uint8Array;
}

const signature =
  'AWS4-HMAC-SHA256 Credential=local/20260101/eu-west-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0';
/** As many as the client's own agent opens. */
const maxSockets = 500;

/** Connections to one server, each of which carries one request at a time. */
class Connections {
  readonly #server: URL;
  readonly #idle: Socket[] = [];
  readonly #waiting: ((socket: Socket) => void)[] = [];
  #open = 0;

  constructor(server: URL) {
    this.#server = server;
  }

  async send({ headers, body }: Request): Promise<Response> {
    const head = [
      'POST / HTTP/1.1',
      `host: ${this.#server.host}`,
      'content-type: application/x-amz-json-1.0',
      `x-amz-target: ${headers['x-amz-target']}`,
      'x-amz-date: 20260101T000000Z',
      `authorization: ${signature}`,
      `content-length: ${body.byteLength}`,
    ];
    const socket = await this.#take();
    const response = await exchange(
      socket,
      Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]),
    );
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(socket);
    else next(socket);
    return response;
  }

  #take(): Promise<Socket> | Socket {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    if (this.#open < maxSockets) return this.#connect();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #connect(): Socket {
    this.#open += 1;
    const { hostname: host, port } = this.#server;
    const socket = connect({ host, port: Number(port), noDelay: true });
    // Whoever waits for an answer hears of it too; an idle connection just goes.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#open -= 1;
      const index = this.#idle.indexOf(socket);
      if (index >= 0) this.#idle.splice(index, 1);
      const next = this.#waiting.shift();
      if (next !== undefined) next(this.#connect());
    });
    return socket;
  }
}

function exchange(socket: Socket, request: Uint8Array): Promise<Response> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const finish = () => {
      socket.off('data', read);
      socket.off('close', fail);
    };
    const fail = () => {
      finish();
      reject(Object.assign(new Error('The connection was closed'), { code: 'ECONNRESET' }));
    };
    const read = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const response = parse(received);
      if (response === undefined) return;
      finish();
      resolve(response);
    };
    socket.on('data', read);
    socket.on('close', fail);
    socket.write(request);
  });
}

/** @returns undefined until all of the response is there. */
function parse(bytes: Buffer): Response | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [status = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const bodyStart = end + 4;
  const bodyEnd = bodyStart + Number(headers['content-length']);
  if (bytes.length < bodyEnd) return undefined;
  return { statusCode: Number(status.split(' ')[1]), headers, body: bytes.subarray(bodyStart, bodyEnd) };
}

if (process.env.TEST_ENGINE !== undefined) {
  const connections = new Connections(new URL(process.env.TEST_ENGINE));
  Object.assign(dynamodb.config.requestHandler, {
    handle: async (request: Request) => ({ response: await connections.send(request) }),
  });
  for (const name of ['loggerMiddleware', 'getUserAgentMiddleware', 'recursionDetectionMiddleware'])
    dynamodb.middlewareStack.remove(name);
  dynamodb.middlewareStack.remove('httpSigningMiddleware');
}

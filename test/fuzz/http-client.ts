import { connect, type Socket } from 'node:net';
import { secondMs } from '../../functions/shared/runtime/clock.ts';

/** A response as received. */
export interface Received {
  status: number;
  /** By lowercase name; of repeated headers the last. */
  headers: Record<string, string>;
  text: string;
}

const answerTimeoutMs = 30 * secondMs;

/**
 * An HTTP client that sends exactly the bytes it is given: clients of Node.js refuse or correct malformed requests.
 *
 * Each connection comes from an address of its own within 127.0.0.0/8, and carries a few requests: rate limits count
 * by address.
 */
export class RawClient {
  readonly #port: number;
  readonly #perConnection: number;
  readonly #address: () => string;
  #socket: Socket | undefined;
  #sent = 0;

  constructor(port: number, perConnection: number, address: () => string) {
    this.#port = port;
    this.#perConnection = perConnection;
    this.#address = address;
  }

  /**
   * Sends a request and resolves with its response.
   * @throws Error when the connection ends without a response, or none comes within 30 seconds.
   */
  async send(request: Buffer, method: string): Promise<Received> {
    const socket = this.#open();
    const response = await exchange(socket, request, method);
    if (response.headers.connection === 'close') this.close();
    return response;
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): Socket {
    if (this.#sent >= this.#perConnection || this.#socket?.destroyed) this.close();
    if (this.#socket === undefined) {
      this.#sent = 0;
      this.#socket = connect({
        host: '127.0.0.1',
        port: this.#port,
        localAddress: this.#address(),
        noDelay: true,
      });
      this.#socket.on('error', () => undefined);
    }
    this.#sent += 1;
    return this.#socket;
  }
}

function exchange(socket: Socket, request: Buffer, method: string): Promise<Received> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const finish = () => {
      clearTimeout(timer);
      socket.off('data', read).off('close', fail);
    };
    const fail = () => {
      finish();
      reject(new Error(`The connection ended after ${received.length} bytes of a response`));
    };
    const timer = setTimeout(() => {
      finish();
      socket.destroy();
      reject(new Error('No response within 30 seconds'));
    }, answerTimeoutMs);
    const read = (chunk: Buffer) => {
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
      const response = parse(received, method);
      if (response === undefined) return;
      finish();
      resolve(response);
    };
    socket.on('data', read).on('close', fail);
    socket.write(request);
  });
}

/** @returns undefined until all of the response is there. */
function parse(bytes: Buffer, method: string): Received | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const status = Number(first.split(' ')[1]);
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  const bodyEnd = end + 4 + (hasBody ? Number(headers['content-length'] ?? 0) : 0);
  if (bytes.length < bodyEnd) return undefined;
  return { status, headers, text: bytes.toString('utf8', end + 4, bodyEnd) };
}

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export class RemoteClosed extends Error {}

/**
 * The whole body of a request; undefined when it exceeds `maxBytes`. The excess is read and dropped: a remote that is
 * still sending would otherwise see a broken connection in place of the response.
 *
 * @throws RemoteClosed
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  // Reads by events: moving the clock sends thousands of mails, and an async iterator costs as much as parsing one.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const closed = () => reject(new RemoteClosed());
    request
      .on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= maxBytes) chunks.push(chunk);
        else chunks.length = 0;
      })
      .on('end', () => resolve(bytes > maxBytes ? undefined : Buffer.concat(chunks)))
      .on('close', closed)
      .on('error', closed);
  });
}

export function parseJson(body: Buffer | string | undefined): unknown {
  try {
    return JSON.parse(body?.toString() ?? '');
  } catch {
    return undefined;
  }
}

const lingerMs = 500;

/**
 * Lets a remote that is still sending read its response: closing the connection at once would discard the response.
 * Incoming data is dropped, for half a second at most.
 */
export async function drain(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  const ended = once(request.resume(), 'close').catch(() => undefined);
  await Promise.race([ended, sleep(lingerMs, undefined, { ref: false })]);
}

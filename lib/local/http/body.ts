import type { IncomingMessage } from 'node:http';

/** The remote closed the connection before its request was complete. */
export class RemoteClosed extends Error {}

/**
 * The whole body of a request; undefined as soon as it is known to exceed `maxBytes`. The rest is then left unread.
 *
 * @param expect tells the remote to send its body (`100 Continue`); not called when `Content-Length` is too large.
 * @throws RemoteClosed
 */
export function readBody(
  request: IncomingMessage,
  maxBytes: number,
  expect: () => void = () => undefined,
): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(undefined);
  expect();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const settle = (outcome: () => void) => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      // The outcome is known: later errors of the connection are irrelevant, but must not be unhandled.
      request.on('error', () => undefined);
      outcome();
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else settle(() => resolve(undefined));
    };
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks)));
    const onClose = () => settle(() => reject(new RemoteClosed()));
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

/**
 * The whole body of a request; undefined when it exceeds `maxBytes`. The excess is read and dropped: a remote that is
 * still sending would otherwise see a broken connection in place of the response.
 */
export function readToEnd(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  // Reads by events: moving the clock sends thousands of mails, and an async iterator costs as much as parsing one.
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request
      .on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= maxBytes) chunks.push(chunk);
        else chunks.length = 0;
      })
      .on('end', () => resolve(bytes > maxBytes ? undefined : Buffer.concat(chunks)))
      .on('close', () => reject(new RemoteClosed()))
      .on('error', reject);
  });
}

/** A body as JSON; undefined when it is not JSON. */
export function parseJson(body: Buffer | undefined): unknown {
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
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, lingerMs);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    request.on('end', done).on('close', done).on('error', done).resume();
  });
}

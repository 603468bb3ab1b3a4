import type { IncomingMessage } from 'node:http';

/** The client went away before its request was whole. */
export class RemoteClosed extends Error {}

/**
 * The whole body of a request; undefined as soon as it is known to be longer than `maxBytes`. The rest is then
 * left where it is.
 *
 * @param expect tells the client that its body will be read, unless it has already announced too long a one.
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
      request.off('data', onData).off('end', onEnd).off('close', onGone).off('error', onGone);
      // Whatever goes wrong with the connection from here on is no news to anybody.
      request.on('error', () => undefined);
      outcome();
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= maxBytes) chunks.push(chunk);
      else settle(() => resolve(undefined));
    };
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks)));
    const onGone = () => settle(() => reject(new RemoteClosed()));
    request.on('data', onData).on('end', onEnd).on('close', onGone).on('error', onGone);
  });
}

/**
 * The whole body of a request; undefined when it is longer than `maxBytes`. What is too much is read all the same,
 * and dropped: a client that still sends would see a broken connection in place of the answer.
 */
export function readToEnd(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  // By its events: a clock that is moved has thousands of mails sent, and an async iterator costs as much as parsing one.
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

/** A body as JSON; undefined when it is none. */
export function parseJson(body: Buffer | undefined): unknown {
  try {
    return JSON.parse(body?.toString() ?? '');
  } catch {
    return undefined;
  }
}

const lingerMs = 500;

/**
 * Lets a client that still sends read its answer first: a connection closed under it would take the answer
 * along. What comes is dropped, for half a second at most.
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

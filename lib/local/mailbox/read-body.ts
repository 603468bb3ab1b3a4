import type { IncomingMessage } from 'node:http';

/**
 * The whole body of a request; undefined when it is longer than `maxBytes`. What is too much is read all the same,
 * and dropped: a client that still sends would see a broken connection in place of the answer.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  return bytes > maxBytes ? undefined : Buffer.concat(chunks);
}

/**
 * A time limit for each attempt of a call to AWS, body included.
 *
 * `requestTimeout` of the SDK's request handler ends with the headers of the response: a service that sends headers and
 * half a body would keep the caller waiting until the function times out.
 * https://github.com/smithy-lang/smithy-typescript/tree/main/packages/node-http-handler
 */

import { Readable } from 'node:stream';

type Step = <Output extends { response: unknown }>(
  next: (args: { input: object; request: unknown }) => Promise<Output>,
) => (args: { input: object; request: unknown }) => Promise<Output>;

/** A client of the AWS SDK, to which steps around each attempt can be added. */
export interface Client {
  readonly middlewareStack: {
    add(step: Step, options: { step: 'deserialize'; priority: 'low' | 'high'; name: string }): void;
  };
}

/**
 * Ends each attempt of the client's calls after `limitMs`: closes the socket and fails the attempt with a `TimeoutError`,
 * which the SDK retries like one of its own while the client has attempts left.
 *
 * @param limitMs from the start of the attempt to the end of the body. The client's `requestTimeout` must limit the time
 * to the headers: this closes no socket that has sent none.
 */
export function limitAttempts<T extends Client>(client: T, limitMs: number): T {
  client.middlewareStack.add(
    (next) => async (args) => {
      let body: unknown;
      let isOver = false;
      const timer = setTimeout(() => {
        isOver = true;
        if (body instanceof Readable) body.destroy(timeoutError(limitMs));
      }, limitMs);
      try {
        const result = await next(args);
        body = (result.response as { body?: unknown }).body;
        if (!isOver) return result;
        // The headers came too late. Nobody reads the body.
        if (body instanceof Readable) body.on('error', () => undefined).destroy();
        throw timeoutError(limitMs);
      } finally {
        if (!isOver && body instanceof Readable) body.once('close', () => clearTimeout(timer));
        else clearTimeout(timer);
      }
    },
    { step: 'deserialize', priority: 'low', name: 'attemptLimit' },
  );
  return client;
}

function timeoutError(limitMs: number): Error {
  return Object.assign(new Error(`The response was not complete after ${limitMs} ms`), {
    name: 'TimeoutError',
  });
}

import type { Client } from './attempt-limit.ts';

/**
 * Lets a client make at most `most` attempts at the same time, from the request to the end of the body. Further ones wait, in
 * the order of their calls.
 *
 * The time limits of an attempt begin with its request, so a wait does not count. Without this limit, a function that makes
 * a thousand calls at once makes them time out: each waits for a socket, or for the processor.
 *
 * A pause between two attempts takes no place.
 */
export function limitConcurrency<T extends Client>(client: T, most: number): T {
  let free = most;
  const waiting: (() => void)[] = [];
  const release = () => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  client.middlewareStack.add(
    (next) => async (args) => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        return await next(args);
      } finally {
        release();
      }
    },
    { step: 'deserialize', priority: 'high', name: 'concurrencyLimit' },
  );
  return client;
}

import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for work, in real time. @param late yields the result, or throws, when the work takes longer. The work goes on. */
export async function withTimeLimit<T>(ms: number, work: Promise<T>, late: () => T): Promise<T> {
  const ended = new AbortController();
  try {
    return await Promise.race([work, sleep(ms, undefined, { signal: ended.signal }).then(late)]);
  } finally {
    ended.abort();
  }
}

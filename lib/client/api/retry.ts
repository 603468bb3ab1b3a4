import type { Signal } from '../share/signal.ts';
import type { VouchsafeError } from './error.ts';
import type { Runtime } from './types.ts';

/** A timer of a longer time would end at once. */
const maxTimerMs = 2 ** 31 - 1;

export const systemRuntime: Runtime = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, Math.min(ms, maxTimerMs));
      signal?.addEventListener('abort', done);
    }),
};

const transient = new Set([
  'timeout',
  'unreachable',
  'connection_lost',
  'not_ready',
  'idempotency_in_progress',
]);
const baseMs = 500;
const maxMs = 8_000;

/**
 * How long to wait before the request is sent again: as `Retry-After` says, else exponentially, with jitter of up to a half.
 *
 * @param tries so far, from 1.
 * @returns milliseconds; undefined for an error that a repeat would not change.
 */
export function waitBeforeRetry(
  { code, status = 0, retryAfterSeconds = 0 }: VouchsafeError,
  tries: number,
  random: number,
): number | undefined {
  if (!transient.has(code) && status !== 429 && status < 500) return undefined;
  const backoffMs = Math.min(baseMs * 2 ** (tries - 1), maxMs) * (1 - random / 2);
  return Math.max(backoffMs, retryAfterSeconds * 1_000);
}

/**
 * Runs work with a signal that a limit of time or the caller aborts. The time counts until the work has ended.
 *
 * @returns what the work returns, which can ask whether the time is over.
 */
export async function withinMs<T>(
  ms: number,
  signal: Signal | undefined,
  { sleep }: Runtime,
  work: (signal: AbortSignal, isOver: () => boolean) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const ended = new AbortController();
  let over = false;
  const abort = () => controller.abort(signal?.reason);
  sleep(ms, ended.signal).then(() => {
    over = !ended.signal.aborted;
    controller.abort();
  });
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  try {
    return await work(controller.signal, () => over);
  } finally {
    ended.abort();
    signal?.removeEventListener('abort', abort);
  }
}

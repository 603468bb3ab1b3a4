import type { Json, JsonObject } from './expression.ts';

/** An entry of a Task's `Retry` with its defaults; times in seconds. */
export interface Retrier {
  errorEquals: string[];
  intervalSeconds: number;
  maxAttempts: number;
  backoffRate: number;
  maxDelaySeconds: number | undefined;
  jitter: 'FULL' | 'NONE';
}

/** An entry of a Task's `Catch`. */
export interface Catcher {
  errorEquals: string[];
  next: string;
  output: Json | undefined;
  assign: JsonObject | undefined;
}

/**
 * Whether an `ErrorEquals` list matches an error.
 *
 * `States.TaskFailed` matches every error but a timeout. Neither wildcard matches `States.DataLimitExceeded`, and
 * `States.Runtime` cannot be caught at all.
 *
 * @see https://docs.aws.amazon.com/step-functions/latest/dg/concepts-error-handling.html
 */
export function matches(errorEquals: readonly string[], error: string): boolean {
  if (error === 'States.Runtime') return false;
  if (errorEquals.includes(error)) return true;
  if (error === 'States.DataLimitExceeded') return false;
  return (
    errorEquals.includes('States.ALL') ||
    (errorEquals.includes('States.TaskFailed') && error !== 'States.Timeout')
  );
}

/** Milliseconds until the next attempt, after `retried` retries of this retrier; `random` returns 0 to 1. */
export function retryDelayMs(retrier: Retrier, retried: number, random: () => number): number {
  const grown = retrier.intervalSeconds * retrier.backoffRate ** retried;
  const seconds = Math.min(grown, retrier.maxDelaySeconds ?? Number.POSITIVE_INFINITY);
  return Math.round(seconds * 1000 * (retrier.jitter === 'FULL' ? random() : 1));
}

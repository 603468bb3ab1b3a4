import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';

/** Waits of the functions take this fraction of their time. */
const speed = 200;

/**
 * Shortens the waits of the functions in this process: `sleep` takes milliseconds in place of seconds. Clocks and the
 * timeouts of connections are not affected, and the functions know nothing of it.
 */
export function shortenWaits(): void {
  const sleep = timers.setTimeout;
  timers.setTimeout = ((ms = 0, value, options) => sleep(ms / speed, value, options)) as typeof sleep;
  // Modules that import the function by name get the new one.
  syncBuiltinESMExports();
}

/** The part of a client's configuration that decides on retries. */
interface RetryConfig {
  maxAttempts: () => Promise<number>;
  retryStrategy: () => Promise<unknown>;
}

type Strategy = new (options: {
  maxAttempts: number;
  backoff: { setDelayBase(): void; computeNextBackoffDelay(): number };
}) => object;

/**
 * Gives a client the retries of its configuration, without delays and with a full quota: an earlier run must not use
 * up the retries of a later one.
 */
export async function retryAtOnce(config: RetryConfig): Promise<void> {
  const Strategy = ((await config.retryStrategy()) as object).constructor as Strategy;
  const strategy = new Strategy({
    maxAttempts: await config.maxAttempts(),
    backoff: { setDelayBase: () => undefined, computeNextBackoffDelay: () => 0 },
  });
  config.retryStrategy = async () => strategy;
}

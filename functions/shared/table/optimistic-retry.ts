import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError } from '../contract/errors.ts';
import { elapsedMs } from '../runtime/clock.ts';
import { jitterMs } from '../runtime/random.ts';
import { isTransactionConflict } from './table.ts';

const maxAttempts = 30;
/** An attempt also waits while its transaction conflicts with others: 30 of them could exceed the function's 25 seconds. */
const maxMs = 12_000;

/**
 * Retries an optimistic write: an attempt reads, decides, and writes on the condition that what it read is
 * unchanged. The delay between attempts is random, so that callers that collided do not collide again.
 *
 * @param attempt resolves undefined when its condition failed. An error that it throws ends the retries.
 * @throws ApiError `conflict` when every attempt fails.
 */
export async function retryOnConflict<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  const startedMs = elapsedMs();
  for (let retries = 0; retries < maxAttempts && elapsedMs() - startedMs < maxMs; retries += 1) {
    const result = await attempt().catch((error: unknown) => {
      // Cancelled because of concurrent transactions: nothing was written.
      if (isTransactionConflict(error)) return undefined;
      throw error;
    });
    if (result !== undefined) return result;
    await sleep(jitterMs(10 * 2 ** Math.min(retries, 6)));
  }
  throw new ApiError('conflict');
}

/** As {@link retryOnConflict}, for an attempt whose outcome says that another write came first. */
export function retryWhileConflict<T extends { readonly kind: string }>(
  attempt: () => Promise<T | { readonly kind: 'conflict' }>,
): Promise<T> {
  return retryOnConflict(async () => {
    const outcome = await attempt();
    return isConflict(outcome) ? undefined : outcome;
  });
}

const isConflict = <T extends { readonly kind: string }>(
  outcome: T | { readonly kind: 'conflict' },
): outcome is { readonly kind: 'conflict' } => outcome.kind === 'conflict';

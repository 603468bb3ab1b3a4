import type { Timer } from '../contract/route.ts';
import { nowMs } from '../runtime/clock.ts';
import { recordRun } from '../runtime/log.ts';

/** The result of a run: counts of what it did, and the cause of the first failure that did not end it. */
export interface Run {
  counts: Record<string, number>;
  cause: unknown;
}

/**
 * A Lambda handler that a schedule invokes. It may run twice, late, or concurrently with itself: EventBridge delivers
 * at least once (https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-event-delivery.html).
 *
 * @throws the error that ended the run, so that Lambda counts it as failed.
 */
export function scheduled(timer: Timer, run: () => Promise<Run>): () => Promise<void> {
  return async () => {
    const startedAtMs = nowMs();
    const { counts, cause } = await run();
    recordRun({ timer: timer.summary, durationMs: nowMs() - startedAtMs, ...counts }, cause);
  };
}

/**
 * A Lambda handler that a state machine invokes with an input, and whose output the state machine uses. It
 * may run twice, late, or concurrently with itself.
 *
 * @throws the errors of `run`: the state machine retries by the name of the error.
 */
export function task<I, O>(timer: Timer, run: (input: I) => Promise<O>): (input: I) => Promise<O> {
  return async (input) => {
    const startedAtMs = nowMs();
    const record = (cause?: unknown) =>
      recordRun({ timer: timer.summary, durationMs: nowMs() - startedAtMs }, cause);
    try {
      const output = await run(input);
      record();
      return output;
    } catch (error) {
      record(error);
      throw error;
    }
  };
}

import type { Timer } from '../contract/route.ts';
import { nowMs } from '../runtime/clock.ts';
import { recordRun } from '../runtime/log.ts';

/** How a run went: what it did, counted, and the cause of the first failure that did not end it. */
export interface Run {
  counts: Record<string, number>;
  cause: unknown;
}

/**
 * A Lambda handler that a schedule invokes. It may run twice, late, or beside itself: EventBridge promises at
 * least once (https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-rule-event-delivery.html).
 *
 * @throws whatever ended the run, so that Lambda counts it as failed.
 */
export function scheduled<D>(
  timer: Timer,
  run: (deps: D) => Promise<Run>,
  deps: () => D,
): () => Promise<void> {
  let wired: D | undefined;
  return async () => {
    const startedAtMs = nowMs();
    wired ??= deps();
    const { counts, cause } = await run(wired);
    recordRun({ timer: timer.summary, durationMs: nowMs() - startedAtMs, ...counts }, cause);
  };
}

/**
 * A Lambda handler that a state machine invokes with an input, and whose answer leads on. It may run twice, late, or beside itself.
 *
 * @throws whatever `run` throws: the state machine retries by the error's name.
 */
export function task<I, O, D>(
  timer: Timer,
  run: (input: I, deps: D) => Promise<O>,
  deps: () => D,
): (input: I) => Promise<O> {
  let wired: D | undefined;
  return async (input) => {
    const startedAtMs = nowMs();
    wired ??= deps();
    const record = (cause?: unknown) =>
      recordRun({ timer: timer.summary, durationMs: nowMs() - startedAtMs }, cause);
    try {
      const answer = await run(input, wired);
      record();
      return answer;
    } catch (error) {
      record(error);
      throw error;
    }
  };
}

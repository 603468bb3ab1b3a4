import { expect, test } from 'vitest';
import { runStep } from '../../../../functions/subscriptions/run-step.ts';

const input = {
  applicationId: 'app_1',
  externalId: 'u',
  subscriptionId: 'sub_1',
  version: 1,
  stage: 'trial_end' as const,
  dueAt: '2030-01-01T00:00:00.500Z',
};

/** Runs the task at a time for a subscription that is gone; how long it slept. */
async function sleptAt(nowMs: number, more: Partial<typeof input> = {}): Promise<number[]> {
  const slept: number[] = [];
  const deps = {
    nowMs: () => nowMs,
    sleep: async (ms: number) => void slept.push(ms),
    subscriptions: { getWithClient: async () => ({ client: undefined, subscriptions: [undefined] }) },
  };
  await runStep({ ...input, ...more }, deps as never);
  return slept;
}

test('a wait that ended early, because it counts whole seconds, is waited for to its end', async () => {
  const dueMs = Date.parse(input.dueAt);
  expect(await sleptAt(dueMs - 500)).toEqual([500]);
  expect(await sleptAt(dueMs - 1_000)).toEqual([1_000]);
});

test('nothing else makes the task sleep: on time, late, or much too early', async () => {
  const dueMs = Date.parse(input.dueAt);
  for (const nowMs of [dueMs, dueMs + 5_000, dueMs - 1_001, 0]) expect(await sleptAt(nowMs)).toEqual([]);
});

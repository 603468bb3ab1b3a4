import { expect, test } from 'vitest';
import { runStep } from '../../../../../functions/subscriptions/run-step.ts';

const input = {
  applicationId: 'app_1',
  externalId: 'u',
  subscriptionId: 'sub_1',
  version: 1,
  stage: 'trial_end' as const,
  dueAt: '2030-01-01T00:00:00.500Z',
};

/** Runs the task at a time, for a subscription that does not exist, and returns for how long it slept. */
async function sleptAt(nowMs: number): Promise<number[]> {
  const slept: number[] = [];
  const deps = {
    clock: { nowMs: () => nowMs },
    sleep: async (ms: number) => void slept.push(ms),
    subscriptions: { getWithClient: async () => ({ client: undefined, subscriptions: [undefined] }) },
    invoices: { latest: async () => [] },
  };
  await runStep(input, deps as never);
  return slept;
}

test('the task waits for the due time when its Wait state, which counts whole seconds, ended up to a second early', async () => {
  const dueMs = Date.parse(input.dueAt);
  expect(await sleptAt(dueMs - 500)).toEqual([500]);
  expect(await sleptAt(dueMs - 1_000)).toEqual([1_000]);
});

test('the task does not sleep when it runs on time, late, or more than a second early', async () => {
  const dueMs = Date.parse(input.dueAt);
  for (const nowMs of [dueMs, dueMs + 5_000, dueMs - 1_001, 0]) expect(await sleptAt(nowMs)).toEqual([]);
});

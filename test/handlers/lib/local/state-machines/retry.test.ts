import { describe, expect, test } from 'vitest';
import { defined } from '../../../../../functions/shared/contract/defined.ts';
import { functionError, machine, stage, startMs, task } from './stage.ts';

const end = { Type: 'Succeed' };

/** Fails with these errors, one per attempt, then succeeds. */
function failing(...names: string[]) {
  const left = [...names];
  return () => {
    const name = left.shift();
    if (name !== undefined) throw functionError(name, `${name} happened`);
    return 'fine';
  };
}

async function attempts(retry: object[], errors: string[], random?: () => number) {
  const { define, start, advanceTo, calls, machines } = stage({
    invoke: failing(...errors),
    ...defined({ random }),
  });
  define(machine({ A: task({ Retry: retry }) }));
  const { arn } = start();
  await advanceTo(startMs + 86_400_000);
  const { status, error } = machines.describeExecution(arn);
  return { seconds: calls.map(({ atMs }) => (atMs - startMs) / 1000), status, error };
}

describe('Retry', () => {
  test('makes three more attempts after 1, 2 and 4 seconds by default', async () => {
    const errors = ['E', 'E', 'E', 'E'];
    expect(await attempts([{ ErrorEquals: ['E'] }], errors)).toEqual({
      seconds: [0, 1, 3, 7],
      status: 'FAILED',
      error: 'E',
    });
  });

  test('delays grow by the rate up to the cap', async () => {
    const retrier = {
      ErrorEquals: ['E'],
      IntervalSeconds: 10,
      BackoffRate: 3,
      MaxDelaySeconds: 50,
      MaxAttempts: 4,
    };
    const { seconds, status } = await attempts([retrier], ['E', 'E', 'E', 'E']);
    expect(seconds).toEqual([0, 10, 40, 90, 140]);
    expect(status).toBe('SUCCEEDED');
  });

  test('the first entry that matches the error counts its own attempts', async () => {
    const entries = [
      { ErrorEquals: ['Throttled'], IntervalSeconds: 5, MaxAttempts: 1 },
      { ErrorEquals: ['States.ALL'], IntervalSeconds: 60, MaxAttempts: 2, BackoffRate: 1 },
    ];
    const { seconds, status, error } = await attempts(entries, ['Throttled', 'Other', 'Other', 'Throttled']);
    expect(seconds).toEqual([0, 5, 65, 125]);
    expect([status, error]).toEqual(['FAILED', 'Throttled']);
  });

  test('States.TaskFailed matches every error but a timeout', async () => {
    const retry = [{ ErrorEquals: ['States.TaskFailed'], MaxAttempts: 1 }];
    expect((await attempts(retry, ['Anything'])).status).toBe('SUCCEEDED');
    expect((await attempts(retry, ['States.Timeout'])).error).toBe('States.Timeout');
  });
});

describe('Catch', () => {
  const run = async (entry: object, more: Record<string, object> = {}) => {
    const execution = await stage({ invoke: failing('E') }).run(
      machine({ A: task({ Catch: [{ ErrorEquals: ['E'], Next: 'B', ...entry }] }), B: end, ...more }),
      { id: 1 },
    );
    return { ...execution, value: JSON.parse(execution.output ?? 'null') };
  };

  test('has its own Output and Assign, that see the error and the input', async () => {
    const entry = {
      Output: { id: '{% $states.input.id %}', error: '{% $states.errorOutput.Error %}' },
      Assign: { failed: '{% $states.errorOutput.Error %}' },
    };
    const { value } = await run(entry, { B: { ...end, Output: ['{% $states.input %}', '{% $failed %}'] } });
    expect(value).toEqual([{ id: 1, error: 'E' }, 'E']);
  });
});

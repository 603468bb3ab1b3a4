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

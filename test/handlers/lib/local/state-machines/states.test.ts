import { describe, expect, test } from 'vitest';
import { machine, stage, startMs, task } from './stage.ts';

const end = { Type: 'Succeed' };
const outputOf = async (states: Record<string, object>, input: unknown = {}, invoke?: () => unknown) => {
  const execution = await stage(invoke ? { invoke } : {}).run(machine(states), input);
  expect(execution).toMatchObject({ status: 'SUCCEEDED' });
  return JSON.parse(execution.output ?? '');
};

describe('Pass and Succeed', () => {
  test('Assign sets variables for later states, and sees the former ones', async () => {
    const first = { Type: 'Pass', Assign: { x: '{% $states.input.n %}', y: 1 }, Next: 'B' };
    const second = {
      Type: 'Pass',
      Assign: { x: '{% $x + 1 %}', old: '{% $x %}' },
      Output: '{% $x %}',
      Next: 'C',
    };
    const third = {
      ...end,
      Output: { x: '{% $x %}', y: '{% $y %}', old: '{% $old %}', input: '{% $states.input %}' },
    };
    const output = await outputOf({ A: first, B: second, C: third }, { n: 5 });
    expect(output).toEqual({ x: 6, y: 1, old: 5, input: 5 });
  });
});

describe('an expression that yields no JSON fails the execution with States.QueryEvaluationError', () => {
  test.each([
    ['undefined', '{% $states.input.absent %}', 'returned nothing'],
    ['a failure', "{% 1 + 'a' %}", 'failed'],
    ['a function', '{% $sum %}', 'function'],
    ['an unknown function', '{% $nothing() %}', 'non-function'],
    ['the result before there is one', '{% $states.result %}', 'returned nothing'],
  ])('%s', async (_what, expression, why) => {
    const execution = await stage().run(machine({ A: { ...end, Output: { x: expression } } }));
    expect(execution).toMatchObject({
      status: 'FAILED',
      error: 'States.QueryEvaluationError',
      stopMs: startMs,
    });
    expect(execution.cause).toContain("state 'A'");
    expect(execution.cause).toContain("'Output/x'");
    expect(execution.cause).toContain(why);
  });
});

describe('Choice', () => {
  const choice = {
    Type: 'Choice',
    Choices: [
      { Condition: '{% $states.input.n > 10 %}', Next: 'Big', Assign: { by: 10 }, Output: 'assigned' },
      { Condition: '{% $states.input.n > 5 %}', Next: 'Middle' },
    ],
  };
  const states = {
    A: { ...choice, Default: 'Small' },
    Big: { ...end, Output: ['{% $by %}', '{% $states.input %}'] },
  };
  const all = { ...states, Middle: { ...end, Output: 'middle' }, Small: end };

  test('takes the first rule that is true, with its own Assign and Output', async () => {
    expect(await outputOf(all, { n: 11 })).toEqual([10, 'assigned']);
    expect(await outputOf(all, { n: 6 })).toBe('middle');
  });

  test('fails with States.NoChoiceMatched without a true rule and without Default', async () => {
    const execution = await stage().run(machine({ ...all, A: choice }), { n: 1 });
    expect(execution).toMatchObject({ status: 'FAILED', error: 'States.NoChoiceMatched' });
  });
});

describe('Task', () => {
  test('invokes the function with the evaluated payload and yields what Lambda would', async () => {
    const { run, calls } = stage({ invoke: () => ({ done: true }) });
    const Arguments = {
      FunctionName: "{% 'fn-' & $states.input.n %}",
      Payload: { id: '{% $states.input.n %}' },
    };
    const execution = await run(machine({ A: task({ Arguments }) }), { n: 4 });
    expect(calls).toEqual([{ atMs: startMs, functionName: 'fn-4', payload: { id: 4 } }]);
    expect(JSON.parse(execution.output ?? '')).toEqual({
      ExecutedVersion: '$LATEST',
      Payload: { done: true },
      StatusCode: 200,
    });
  });
});

test('a loop that never waits ends with an error instead of running forever', async () => {
  const execution = await stage().run(
    machine({ A: { Type: 'Pass', Next: 'B' }, B: { Type: 'Wait', Seconds: 0, Next: 'A' } }),
  );
  expect(execution).toMatchObject({ status: 'FAILED', error: 'States.Runtime' });
});

import { createRequire } from 'node:module';
import fc from 'fast-check';
import { dayMs, hourMs, minuteMs } from '../../../../../functions/shared/runtime/clock.ts';
import { bankImport } from '../../../../../lib/deployment/state-machines/bank-import.ts';
import {
  lambdaTask,
  type State,
  sixRetries,
} from '../../../../../lib/deployment/state-machines/definition.ts';
import { subscriptionTimer } from '../../../../../lib/deployment/state-machines/subscription.ts';
import {
  firstAttempts,
  laterAttempts,
} from '../../../../../lib/deployment/state-machines/webhook-delivery.ts';
import { abortExecution } from '../../../../support/state-machines.ts';
import { functionError, iso, machine, retrier, stage, startMs, task } from './stage.ts';
import { timerLoop } from './timer-loop.ts';

/** It adds fields to a definition. */
const validateAsl: (definition: object) => { isValid: boolean; errorsText: (separator: string) => string } =
  createRequire(import.meta.url)('asl-validator');

const functionArn = 'arn:aws:lambda:eu-west-1:000000000000:function:fn';
const end = { Type: 'Succeed' } as const;
const { define } = stage();
const eventLoopTurn = () => new Promise((resolve) => setImmediate(resolve));

test('the timer loop is valid for asl-validator, and re-arms itself until the task says otherwise', async () => {
  const { isValid, errorsText } = validateAsl(structuredClone(timerLoop));
  expect(isValid, errorsText('\n')).toBe(true);
  const dues = [1, 3, 10].map((days) => iso(startMs + days * dayMs));
  const { define, start, advanceTo, calls, describe } = stage({
    invoke: (payload) => {
      const next = dues[dues.indexOf((payload as { dueAt: string }).dueAt) + 1];
      return next === undefined ? { next: 'done' } : { next: 'again', dueAt: next };
    },
  });
  define(timerLoop);
  const { arn } = start({ dueAt: dues[0] });
  await advanceTo(startMs + 30 * dayMs);
  expect(calls.map(({ atMs }) => iso(atMs))).toEqual(dues);
  expect(describe(arn)).toMatchObject({ status: 'SUCCEEDED', output: '{"next":"done"}' });
});

test('any set of executions fires in the order of due times, whether the clock walks or jumps', async () => {
  const seconds = fc.array(fc.integer({ min: 0, max: 4 * 365 * 86_400 }), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(seconds, fc.boolean(), async (offsets, jumps) => {
      const { define, start, advanceTo, jumpTo, calls, machines } = stage();
      define(timerLoop);
      const due = offsets.map((offset) => startMs + offset * 1000);
      for (const ms of due) start({ dueAt: iso(ms) });
      await machines.runs.idle();
      await (jumps ? jumpTo : advanceTo)(startMs + 5 * 365 * dayMs);
      const fired = calls.map(({ payload }) => Date.parse((payload as { dueAt: string }).dueAt));
      expect(fired).toEqual(due.toSorted((a, b) => a - b));
      if (!jumps) expect(calls.map(({ atMs }) => atMs)).toEqual(fired);
    }),
    { numRuns: 20 },
  );
});

test('concurrent calls of runDue do not run an execution twice', async () => {
  const { define, start, machines, calls, jumpTo } = stage();
  define(timerLoop);
  start({ dueAt: iso(startMs + dayMs) });
  await machines.runs.idle();
  await Promise.all([jumpTo(startMs + dayMs), machines.runDue(), machines.runDue()]);
  expect(calls).toHaveLength(1);
});

test('a waiting execution that is stopped is ABORTED and never wakes', async () => {
  const { define, start, database, describe, advanceTo, calls } = stage();
  define(timerLoop);
  const { arn } = start({ dueAt: iso(startMs + dayMs) });
  await advanceTo(startMs + minuteMs);
  const stopped = { error: 'Cancelled', cause: 'by the customer' };
  abortExecution(database, arn, { stopMs: startMs + minuteMs, ...stopped });
  await advanceTo(startMs + 2 * dayMs);
  expect(calls).toEqual([]);
  expect(describe(arn)).toMatchObject({
    status: 'ABORTED',
    stopMs: startMs + minuteMs,
    ...stopped,
  });
});

test('executions of a server that hangs keep no others from running, and at most ten of them run at once', async () => {
  const serverOf = (input: unknown) => (input as { server?: string }).server;
  const hanging = Promise.withResolvers<void>();
  const { define, start, machines, jumpTo, calls } = stage({
    groupOf: serverOf,
    invoke: async (payload) => {
      if (serverOf(payload) === 'hangs') await hanging.promise;
      return { next: 'done' };
    },
  });
  define(timerLoop);
  for (let id = 0; id < 30; id += 1) start({ server: 'hangs', id, dueAt: iso(startMs + hourMs) });
  start({ server: 'answers', dueAt: iso(startMs + 2 * hourMs) });
  start({ dueAt: iso(startMs + 3 * hourMs) });
  await machines.runDue();
  void jumpTo(startMs + dayMs);
  await eventLoopTurn();
  await eventLoopTurn();
  const called = Map.groupBy(calls, ({ payload }) => serverOf(payload));
  const counts = new Map([...called].map(([server, own]) => [server, own.length]));
  expect(counts).toEqual(
    new Map([
      ...([
        ['hangs', 10],
        ['answers', 1],
        [undefined, 1],
      ] as const),
    ]),
  );
  hanging.resolve();
});

test('a task is tried again after growing delays, up to the longest', async () => {
  const { define, start, advanceTo, calls, describe } = stage({
    invoke: () => {
      throw functionError('E');
    },
  });
  define(machine({ A: task({ Retry: [retrier(4)] }) }));
  const { arn } = start();
  await advanceTo(startMs + dayMs);
  expect(calls.map(({ atMs }) => (atMs - startMs) / 1000)).toEqual([0, 1, 3, 7, 11]);
  expect(describe(arn)).toMatchObject({ status: 'FAILED', error: 'E' });
});

test.each([
  ['undefined', '{% $states.input.absent %}', 'returned nothing'],
  ['a failure', "{% 1 + 'a' %}", 'failed'],
  ['a function', '{% $sum %}', 'function'],
] as const)(
  'an expression that yields %s fails the execution and names state and field',
  async (_, expression, why) => {
    const execution = await stage().run(machine({ A: task({ Output: expression }) }));
    expect(execution).toMatchObject({
      status: 'FAILED',
      error: 'States.QueryEvaluationError',
      stopMs: startMs,
    });
    for (const part of ["state 'A'", "'Output'", why])
      expect(execution).toMatchObject({ cause: expect.stringContaining(part) });
  },
);

test.each([
  [11, 'big'],
  [6, 'middle'],
  [1, 'other'],
])('a choice takes the first rule that is true for %i, or the default', async (n, called) => {
  const rule = (over: number, Next: string) => ({
    Condition: `{% $states.input.n > ${over} %}` as const,
    Next,
  });
  const invoked = (name: string) =>
    task({ Arguments: { FunctionName: name, Payload: '{% $states.input %}' } });
  const states: Record<string, State> = {
    A: { Type: 'Choice', Choices: [rule(10, 'Big'), rule(5, 'Middle')], Default: 'Other' },
    Big: invoked('big'),
    Middle: invoked('middle'),
    Other: invoked('other'),
  };
  const { run, calls } = stage();
  expect((await run(machine(states), { n })).status).toBe('SUCCEEDED');
  expect(calls.map(({ functionName }) => functionName)).toEqual([called]);
});

test('a task invokes the function with the evaluated payload and yields what Lambda would', async () => {
  const { run, calls } = stage({ invoke: () => ({ done: true }) });
  const Arguments = { FunctionName: 'fn', Payload: "{% { 'id': $states.input.n } %}" } as const;
  const execution = await run(machine({ A: task({ Arguments }) }), { n: 4 });
  expect(calls).toEqual([{ atMs: startMs, functionName: 'fn', payload: { id: 4 } }]);
  const output = 'output' in execution ? execution.output : '';
  expect(JSON.parse(output)).toMatchObject({ Payload: { done: true }, StatusCode: 200 });
});

test('a definition with anything that this interpreter does not run does not compile', () => {
  // @ts-expect-error JSONPath
  define({ StartAt: 'A', States: { A: end } });
  // @ts-expect-error a task timeout
  task({ TimeoutSeconds: 9 });
  // @ts-expect-error a Map state
  machine({ A: { Type: 'Map', End: true } });
  // @ts-expect-error no function name
  task({ Arguments: { Payload: '{% 1 %}' } });
  // @ts-expect-error an expression left open
  task({ Output: '{% 1' });
  // @ts-expect-error neither a next state nor an end
  machine({ A: { ...lambdaTask('fn', sixRetries) } });
});

test.each([
  ['subscriptions', subscriptionTimer({ step: functionArn })],
  ['first attempts of deliveries', firstAttempts(functionArn)],
  ['later attempts of deliveries', laterAttempts(functionArn)],
  ['bank statements', bankImport(functionArn)],
])(
  'the machine of %s is valid for asl-validator, and uses no function that AWS adds to JSONata',
  (_, definition) => {
    const { isValid, errorsText } = validateAsl(structuredClone(definition));
    expect(isValid, errorsText('\n')).toBe(true);
    expect(JSON.stringify(definition)).not.toMatch(
      /\$(eval|hash|millis|now|parse|partition|random|range|uuid)\b/,
    );
  },
);

test('asl-validator refuses a next state that does not exist', () => {
  expect(validateAsl(machine({ A: { Type: 'Choice', Choices: [], Default: 'B' } })).isValid).toBe(false);
  expect(validateAsl({ ...timerLoop, StartAt: 'B' }).isValid).toBe(false);
});

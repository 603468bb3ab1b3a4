import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { parseDefinition } from '../../../../../lib/local/state-machines/definition.ts';
import { DefinitionError } from '../../../../../lib/local/state-machines/errors.ts';
import { machine, stage, task } from './stage.ts';
import { timerLoop } from './timer-loop.ts';

const validateAsl: (definition: object) => { isValid: boolean; errorsText: (separator: string) => string } =
  createRequire(import.meta.url)('asl-validator');

function refusal(definition: object): string {
  try {
    parseDefinition(JSON.stringify(definition));
  } catch (error) {
    expect(error).toBeInstanceOf(DefinitionError);
    return String(error);
  }
  return 'accepted';
}

const end = { Type: 'Succeed' };

test('the timer loop is valid for asl-validator and for the interpreter', () => {
  const { isValid, errorsText } = validateAsl(timerLoop);
  expect(isValid, errorsText('\n')).toBe(true);
  expect([...parseDefinition(JSON.stringify(timerLoop)).states.keys()]).toEqual(
    Object.keys(timerLoop.States),
  );
});

test('a definition that is refused leaves the machine undefined', () => {
  const { define, start } = stage();
  expect(() => define({ ...timerLoop, TimeoutSeconds: 5 })).toThrow(DefinitionError);
  expect(() => start()).toThrow('State Machine Does Not Exist');
});

describe('a definition is refused with the state and the field for', () => {
  const wait = { Type: 'Wait', Seconds: 1, End: true };
  const retry = (...entries: object[]) => machine({ A: task({ Retry: entries }) });
  const cases: [string, object, ...string[]][] = [
    ['JSONPath', { StartAt: 'A', States: { A: end } }, 'QueryLanguage', 'JSONata'],
    ['JSONPath in one state', machine({ A: { ...end, QueryLanguage: 'JSONPath' } }), "'A'", 'QueryLanguage'],
    ['an execution timeout', { ...machine({ A: end }), TimeoutSeconds: 9 }, 'TimeoutSeconds'],
    ['a task timeout', machine({ A: task({ TimeoutSeconds: 9 }) }), "'A'", 'TimeoutSeconds'],
    ['a heartbeat', machine({ A: task({ HeartbeatSeconds: 9 }) }), "'A'", 'HeartbeatSeconds'],
    ['a Parallel state', machine({ A: { Type: 'Parallel', Branches: [], End: true } }), "'A'", 'Parallel'],
    ['a Map state', machine({ A: { Type: 'Map', End: true } }), "'A'", 'Map'],
    ['JSONPath fields', machine({ A: { ...end, InputPath: '$' } }), "'A'", 'InputPath'],
    ['SecondsPath', machine({ A: { Type: 'Wait', SecondsPath: '$.x', End: true } }), "'A'", 'SecondsPath'],
    ['both times of a Wait', machine({ A: { ...wait, Timestamp: '{% 1 %}' } }), "'A'", 'Seconds'],
    ['half a second', machine({ A: { ...wait, Seconds: 0.5 } }), "'A'", 'Seconds'],
    [
      'a date as Timestamp',
      machine({ A: { Type: 'Wait', Timestamp: '2030-01-01', End: true } }),
      'Timestamp',
    ],
    [
      'another resource',
      machine({ A: task({ Resource: 'arn:aws:states:::sqs:sendMessage' }) }),
      "'A'",
      'Resource',
    ],
    [
      'a callback',
      machine({ A: task({ Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken' }) }),
      'Resource',
    ],
    [
      'an asynchronous invocation',
      machine({ A: task({ Arguments: { FunctionName: 'f', InvocationType: 'Event' } }) }),
      "'A'",
      'InvocationType',
    ],
    ['no function name', machine({ A: task({ Arguments: { Payload: {} } }) }), "'A'", 'FunctionName'],
    ['an unknown next state', machine({ A: { Type: 'Pass', Next: 'B' } }), "'A'", 'Next', "'B'"],
    [
      'an unknown default',
      machine({ A: { Type: 'Choice', Choices: [{ Condition: '{% true %}', Next: 'A' }], Default: 'B' } }),
      "'A'",
      'Default',
      "'B'",
    ],
    [
      'a Choice without rules',
      machine({ A: { Type: 'Choice', Choices: [], Default: 'A' } }),
      "'A'",
      'Choices',
    ],
    [
      'what a Choice would assign whatever the rule',
      machine({ A: { Type: 'Choice', Choices: [{ Condition: '{% true %}', Next: 'A' }], Assign: { x: 1 } } }),
      "'A'",
      'Assign',
    ],
    ['neither Next nor End', machine({ A: { Type: 'Pass' } }), "'A'", 'Next'],
    ['Next and End', machine({ A: { Type: 'Pass', Next: 'A', End: true } }), "'A'", 'Next'],
    ['an unknown first state', { ...machine({ A: end }), StartAt: 'B' }, 'StartAt'],
    ['broken JSONata', machine({ A: { Type: 'Succeed', Output: { x: ['{% 1 + %}'] } } }), "'A'", 'Output'],
    ['an expression left open', machine({ A: { Type: 'Succeed', Output: '{% 1' } }), "'A'", 'Output'],
    ['$eval', machine({ A: { Type: 'Succeed', Output: "{% $eval('1') %}" } }), "'A'", 'Output', '$parse'],
    [
      'a reserved variable',
      machine({ A: { Type: 'Pass', Assign: { states: 1 }, End: true } }),
      "'A'",
      'Assign',
    ],
    [
      'a condition that is no expression',
      machine({ A: { Type: 'Choice', Choices: [{ Condition: 'true', Next: 'B' }] }, B: end }),
      "'A'",
      'Choices[0]',
      'Condition',
    ],
    [
      'a JSONPath rule',
      machine({ A: { Type: 'Choice', Choices: [{ Variable: '$.x', IsNull: true, Next: 'B' }] }, B: end }),
      'Choices[0]',
      'Variable',
    ],
    ['States.ALL in company', retry({ ErrorEquals: ['States.ALL', 'X'] }), "'A'", 'Retry', 'alone'],
    [
      'States.ALL before others',
      retry({ ErrorEquals: ['States.ALL'] }, { ErrorEquals: ['X'] }),
      'Retry',
      'last',
    ],
    ['a shrinking backoff', retry({ ErrorEquals: ['X'], BackoffRate: 0.5 }), 'Retry[0]', 'BackoffRate'],
    ['no interval', retry({ ErrorEquals: ['X'], IntervalSeconds: 0 }), 'Retry[0]', 'IntervalSeconds'],
    [
      'an unknown jitter',
      retry({ ErrorEquals: ['X'], JitterStrategy: 'SOME' }),
      'Retry[0]',
      'JitterStrategy',
    ],
    [
      'a cap below the interval',
      retry({ ErrorEquals: ['X'], MaxDelaySeconds: 1 }),
      'Retry[0]',
      'MaxDelaySeconds',
    ],
    [
      'a catch into nowhere',
      machine({ A: task({ Catch: [{ ErrorEquals: ['States.ALL'], Next: 'B' }] }) }),
      "'A'",
      'Catch',
      "'B'",
    ],
  ];
  test.each(cases)('%s', (_what, definition, ...named) => {
    const text = refusal(definition);
    for (const name of named) expect(text).toContain(name);
    expect(text).not.toBe('accepted');
  });
});

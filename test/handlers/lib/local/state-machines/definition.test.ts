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
  const cases: [string, object, ...string[]][] = [
    ['JSONPath', { StartAt: 'A', States: { A: end } }, 'QueryLanguage', 'JSONata'],
    ['a task timeout', machine({ A: task({ TimeoutSeconds: 9 }) }), "'A'", 'TimeoutSeconds'],
    ['a Map state', machine({ A: { Type: 'Map', End: true } }), "'A'", 'Map'],
    ['no function name', machine({ A: task({ Arguments: { Payload: {} } }) }), "'A'", 'FunctionName'],
    ['an expression left open', machine({ A: { Type: 'Succeed', Output: '{% 1' } }), "'A'", 'Output'],
    [
      'a condition that is no expression',
      machine({ A: { Type: 'Choice', Choices: [{ Condition: 'true', Next: 'B' }] }, B: end }),
      "'A'",
      'Choices[0]',
      'Condition',
    ],
  ];
  test.each(cases)('%s', (_what, definition, ...named) => {
    const text = refusal(definition);
    for (const name of named) expect(text).toContain(name);
    expect(text).not.toBe('accepted');
  });
});

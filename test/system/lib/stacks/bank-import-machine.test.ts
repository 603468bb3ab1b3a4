import { expect, test } from 'vitest';
import { bankImport, importTask } from '../../../../lib/timers/bank-import.ts';
import { all, functionOf, type Json, resources } from './synthesized.ts';

const machine: Json = all('AWS::StepFunctions::StateMachine').find(
  ([, { Properties }]) => Properties.StateMachineName === 'vouchsafe-dev-bank-import',
)?.[1];
const [recordId, record] = functionOf('By a state machine: Records entries of a bank statement');

test('the state machine of imports runs the definition that runs locally', () => {
  expect(machine.Properties.StateMachineType).toBe('STANDARD');
  const [, parts] = machine.Properties.DefinitionString['Fn::Join'];
  const text = parts.map((part: Json) => (typeof part === 'string' ? part : part['Fn::GetAtt'][0])).join('');
  expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(bankImport(recordId))));
});

test('the state machine of imports may invoke its task, log and trace, and nothing else', () => {
  const { Policies } = resources[machine.Properties.RoleArn['Fn::GetAtt'][0]].Properties;
  const [invoke, ...others] = Policies[0].PolicyDocument.Statement;
  expect(invoke).toMatchObject({
    Action: 'lambda:InvokeFunction',
    Resource: { 'Fn::GetAtt': [recordId, 'Arn'] },
  });
  for (const action of others.flatMap(({ Action }: Json) => Action)) expect(action).toMatch(/^(logs|xray):/);
});

test('names and accounts of payers are in no log of the state machine', () => {
  expect(machine.Properties.LoggingConfiguration.IncludeExecutionData).toBe(false);
});

test(`${importTask} has the time for a minute of work and its last part`, () => {
  expect(record.Properties.Timeout).toBe(180);
});

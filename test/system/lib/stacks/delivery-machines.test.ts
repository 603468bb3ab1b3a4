import { describe, expect, test } from 'vitest';
import { deliveryTask, firstAttempts, laterAttempts } from '../../../../lib/timers/webhook-delivery.ts';
import { all, functionOf, type Json, resources } from './synthesized.ts';

const machineOf = (name: string): Json =>
  all('AWS::StepFunctions::StateMachine').find(
    ([, { Properties }]) => Properties.StateMachineName === name,
  )?.[1];
const [attemptId, attempt] = functionOf('By a state machine: Sends a batch of events');

describe.each([
  ['vouchsafe-dev-webhook-delivery', 'EXPRESS', firstAttempts],
  ['vouchsafe-dev-webhook-retries', 'STANDARD', laterAttempts],
])('the state machine %s', (name, type, definition) => {
  const { Properties } = machineOf(name);

  test('has its type, and runs the definition that runs locally', () => {
    expect(Properties.StateMachineType).toBe(type);
    const [, parts] = Properties.DefinitionString['Fn::Join'];
    const text = parts
      .map((part: Json) => (typeof part === 'string' ? part : part['Fn::GetAtt'][0]))
      .join('');
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(definition(attemptId))));
  });

  test('may invoke its task, log and trace, and nothing else', () => {
    const { Policies, ManagedPolicyArns } = resources[Properties.RoleArn['Fn::GetAtt'][0]].Properties;
    expect(ManagedPolicyArns).toBeUndefined();
    const [invoke, ...others] = Policies[0].PolicyDocument.Statement;
    expect(invoke).toMatchObject({
      Action: 'lambda:InvokeFunction',
      Resource: { 'Fn::GetAtt': [attemptId, 'Arn'] },
    });
    for (const action of others.flatMap(({ Action }: Json) => Action))
      expect(action).toMatch(/^(logs|xray):/);
  });

  test('does not log the input of executions', () => {
    expect(Properties.LoggingConfiguration.IncludeExecutionData).toBe(false);
  });
});

test(`${deliveryTask} has the time for a slow receiver, and cannot reach webhooks of this machine`, () => {
  expect(attempt.Properties.Timeout).toBe(90);
  for (const [, { Properties }] of all('AWS::Lambda::Function'))
    expect(Properties.Environment.Variables).not.toHaveProperty('WEBHOOK_LOOPBACK');
});

test('a webhook that is disabled raises an alarm', () => {
  const alarms = all('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
  expect(alarms).toContainEqual(
    expect.objectContaining({
      Namespace: 'Vouchsafe/dev',
      MetricName: 'WebhooksDisabled',
      Dimensions: [{ Name: 'service', Value: 'webhooks' }],
      Statistic: 'Sum',
      Threshold: 1,
    }),
  );
});

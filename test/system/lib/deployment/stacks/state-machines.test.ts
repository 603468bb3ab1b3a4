import { bankImport } from '../../../../../lib/deployment/state-machines/bank-import.ts';
import { subscriptionTimer } from '../../../../../lib/deployment/state-machines/subscription.ts';
import {
  firstAttempts,
  laterAttempts,
} from '../../../../../lib/deployment/state-machines/webhook-delivery.ts';
import { all, functionOf, type Json, resources } from './synthesized.ts';

const step = functionOf('By a state machine: Takes the due steps');
const attempt = functionOf('By a state machine: Sends a batch of events');
const record = functionOf('By a state machine: Records entries of a bank statement');

const machineOf = (name: string): Json =>
  all('AWS::StepFunctions::StateMachine').find(
    ([, { Properties }]) => Properties.StateMachineName === name,
  )?.[1];

describe.each([
  // Its executions wait for days.
  ['timers', 'STANDARD', subscriptionTimer({ step: step[0] }), step, 25],
  ['webhook-delivery', 'EXPRESS', firstAttempts(attempt[0]), attempt, 90],
  ['webhook-retries', 'STANDARD', laterAttempts(attempt[0]), attempt, 90],
  ['bank-import', 'STANDARD', bankImport(record[0]), record, 180],
] as const)('the state machine %s', (name, type, definition, [taskId, task], seconds) => {
  const { Properties } = machineOf(`vouchsafe-dev-${name}`);

  test('has its type, and runs the definition that runs locally', () => {
    expect(Properties.StateMachineType).toBe(type);
    const [, parts] = Properties.DefinitionString['Fn::Join'];
    const text = parts
      .map((part: Json) => (typeof part === 'string' ? part : part['Fn::GetAtt'][0]))
      .join('');
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(definition)));
  });

  test('may invoke its task, log and trace, and nothing else', () => {
    const { Policies, ManagedPolicyArns } = resources[Properties.RoleArn['Fn::GetAtt'][0]].Properties;
    expect(ManagedPolicyArns).toBeUndefined();
    const [invoke, ...others] = Policies[0].PolicyDocument.Statement;
    expect(invoke.Action).toBe('lambda:InvokeFunction');
    expect([invoke.Resource].flat()).toEqual([{ 'Fn::GetAtt': [taskId, 'Arn'] }]);
    for (const action of others.flatMap(({ Action }: Json) => Action))
      expect(action).toMatch(/^(logs|xray):/);
  });

  test('does not log the input of executions, which names subscribers and payers', () => {
    expect(Properties.LoggingConfiguration.IncludeExecutionData).toBe(false);
  });

  test('has a task with the time that it needs', () => {
    expect(task.Properties.Timeout).toBe(seconds);
  });
});

test('an execution of the timers that fails for good, a webhook that is disabled, and an event of Stripe that cannot be read raise an alarm', () => {
  const alarms = all('AWS::CloudWatch::Alarm').map(([, { Properties }]) => Properties);
  const ofTimers = alarms.filter(({ Dimensions = [] }) =>
    JSON.stringify(Dimensions).includes(':stateMachine:vouchsafe-dev-timers"'),
  );
  expect(ofTimers.map(({ MetricName }) => MetricName)).toEqual(['ExecutionsFailed']);
  for (const [MetricName, Value] of [
    ['WebhooksDisabled', 'webhooks'],
    ['EventsUnreadable', 'payments'],
  ])
    expect(alarms).toContainEqual(
      expect.objectContaining({
        Namespace: 'Vouchsafe/dev',
        MetricName,
        Dimensions: [{ Name: 'service', Value }],
        Statistic: 'Sum',
        Threshold: 1,
      }),
    );
});

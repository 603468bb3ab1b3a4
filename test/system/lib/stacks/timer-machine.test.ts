import { describe, expect, test } from 'vitest';
import { subscriptionTimer } from '../../../../lib/timers/subscription.ts';
import { all, functionOf, type Json, resources } from './synthesized.ts';

const [[, machine] = ['', {} as Json]] = all('AWS::StepFunctions::StateMachine').filter(
  ([, { Properties }]) => Properties.StateMachineName === 'vouchsafe-dev-timers',
);

describe('the state machine of the timers', () => {
  const tasks = all('AWS::Lambda::Function').filter(
    ([
      ,
      {
        Properties: { Description },
      },
    ]) => /^By a state machine: .*subscription/.test(Description),
  );
  const { Properties } = machine;

  test('is of the type whose executions can wait for days', () => {
    expect(Properties).toMatchObject({
      StateMachineName: 'vouchsafe-dev-timers',
      StateMachineType: 'STANDARD',
      TracingConfiguration: { Enabled: true },
    });
  });

  test('runs the definition that runs locally', () => {
    const [, parts] = Properties.DefinitionString['Fn::Join'];
    const text = parts
      .map((part: Json) => (typeof part === 'string' ? part : part['Fn::GetAtt'][0]))
      .join('');
    const [stepId] = functionOf('By a state machine: Takes the due steps');
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(subscriptionTimer({ step: stepId }))));
  });

  test('logs every step but not the input of executions, which names the subscribers of applications', () => {
    const { Level, IncludeExecutionData, Destinations } = Properties.LoggingConfiguration;
    expect([Level, IncludeExecutionData]).toEqual(['ALL', false]);
    const log = resources[Destinations[0].CloudWatchLogsLogGroup.LogGroupArn['Fn::GetAtt'][0]];
    expect(log.Properties.RetentionInDays).toBe(7);
  });

  test('may invoke its tasks, log and trace, and nothing else', () => {
    const { Policies, ManagedPolicyArns } = resources[Properties.RoleArn['Fn::GetAtt'][0]].Properties;
    expect(ManagedPolicyArns).toBeUndefined();
    const [invoke, ...others] = Policies[0].PolicyDocument.Statement;
    expect(invoke.Action).toBe('lambda:InvokeFunction');
    const invoked = [invoke.Resource].flat().map(({ 'Fn::GetAtt': [id] }: Json) => id);
    expect(invoked.sort()).toEqual(tasks.map(([id]) => id).sort());
    expect(others.flatMap(({ Action }: Json) => Action)).toSatisfy((actions: string[]) =>
      actions.every((action) => /^(logs|xray):/.test(action)),
    );
    for (const [, task] of tasks) expect(task.Properties.Timeout).toBe(25);
  });

  test('raises an alarm when an execution fails for good', () => {
    const alarms = all('AWS::CloudWatch::Alarm').filter(([, { Properties: alarm }]) =>
      JSON.stringify(alarm.Dimensions ?? []).includes(`:stateMachine:${Properties.StateMachineName}"`),
    );
    expect(alarms.map(([, alarm]) => alarm.Properties.MetricName)).toEqual(['ExecutionsFailed']);
  });
});

import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { StageSettings } from '../stages.ts';
import { subscriptionTimer } from '../timers/subscription.ts';

export interface TimerMachineProps {
  readonly stage: StageSettings;
  /** What it invokes, and the only thing that it may invoke. */
  readonly task: LambdaFunction;
}

/** Fixed, so that whoever starts it can be granted that, its own task included. */
export function machineName(stage: StageSettings): string {
  return `vouchsafe-${stage.name}-timers`;
}

/** The state machine of the timers of subscriptions, with its log and its role. */
export class TimerMachine extends Construct {
  readonly machine: StateMachine;

  constructor(scope: Construct, id: string, { stage, task }: TimerMachineProps) {
    super(scope, id);
    const log = new LogGroup(this, 'Log', {
      retention: stage.logRetentionDays,
      removalPolicy: stage.keepLogs ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('states.amazonaws.com'),
      inlinePolicies: { Grants: new PolicyDocument({ statements: permissions(task) }) },
    });
    this.machine = new StateMachine(this, 'Machine', {
      stateMachineName: machineName(stage),
      // Executions wait for days, and what they did is kept: express ones could do neither.
      stateMachineType: StateMachineType.STANDARD,
      comment: 'Waits for the steps of subscriptions.',
      definitionBody: DefinitionBody.fromString(
        Stack.of(this).toJsonString(subscriptionTimer(task.functionArn)),
      ),
      // Seen as immutable, it gets exactly the policy above.
      role: role.withoutPolicyUpdates(),
      // Names and times, never what the executions carry: that names the subscribers of applications.
      logs: { destination: log, level: LogLevel.ALL, includeExecutionData: false },
      tracingEnabled: true,
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'What Step Functions needs to deliver its log and to trace takes no narrower resource.',
    });
  }
}

function permissions(task: LambdaFunction): PolicyStatement[] {
  return [
    new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [task.functionArn] }),
    // These know no resources: https://docs.aws.amazon.com/step-functions/latest/dg/cw-logs.html
    new PolicyStatement({
      actions: [
        'logs:CreateLogDelivery',
        'logs:GetLogDelivery',
        'logs:UpdateLogDelivery',
        'logs:DeleteLogDelivery',
        'logs:ListLogDeliveries',
        'logs:PutResourcePolicy',
        'logs:DescribeResourcePolicies',
        'logs:DescribeLogGroups',
      ],
      resources: ['*'],
    }),
    // https://docs.aws.amazon.com/step-functions/latest/dg/xray-iam.html
    new PolicyStatement({
      actions: [
        'xray:PutTraceSegments',
        'xray:PutTelemetryRecords',
        'xray:GetSamplingRules',
        'xray:GetSamplingTargets',
      ],
      resources: ['*'],
    }),
  ];
}

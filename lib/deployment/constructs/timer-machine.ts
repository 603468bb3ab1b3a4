import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { type IRole, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { StageSettings } from '../stages.ts';
import { type subscriptionTasks, subscriptionTimer } from '../state-machines/subscription.ts';

export interface TimerMachineProps {
  readonly stage: StageSettings;
  /** The functions or aliases that it invokes, and the only functions that it may invoke. */
  readonly tasks: Readonly<Record<keyof typeof subscriptionTasks, IFunction>>;
}

/**
 * The name of the state machine. It is fixed, so that every function that starts executions can be granted that,
 * including the tasks of the machine.
 */
export function machineName(stage: StageSettings): string {
  return `vouchsafe-${stage.name}-timers`;
}

/** The state machine of subscription timers, with its log group and its role. */
export class TimerMachine extends Construct {
  readonly machine: StateMachine;

  constructor(scope: Construct, id: string, { stage, tasks }: TimerMachineProps) {
    super(scope, id);
    const { step } = tasks;
    const { destination, role } = addLogAndRole(this, stage, step);
    this.machine = new StateMachine(this, 'Machine', {
      stateMachineName: machineName(stage),
      // Executions wait for days and keep their history; those of an express workflow do neither.
      stateMachineType: StateMachineType.STANDARD,
      comment: 'Waits for the steps of subscriptions.',
      definitionBody: DefinitionBody.fromString(
        Stack.of(this).toJsonString(subscriptionTimer({ step: step.functionArn })),
      ),
      role,
      // Names and times, never the data of an execution, which identifies the subscribers of applications.
      logs: { destination, level: LogLevel.ALL, includeExecutionData: false },
      tracingEnabled: true,
    });
  }
}

/** The log group and the role of state machines that have one task. */
export function addLogAndRole(
  scope: Construct,
  stage: StageSettings,
  task: IFunction,
): { destination: LogGroup; role: IRole } {
  const destination = new LogGroup(scope, 'Log', {
    retention: stage.logRetentionDays,
    removalPolicy: stage.keepLogs ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('states.amazonaws.com'),
    inlinePolicies: { Grants: new PolicyDocument({ statements: machinePermissions(task) }) },
  });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'Log delivery and tracing of Step Functions support no narrower resource.',
  });
  // An immutable role gets exactly the policy above.
  return { destination, role: role.withoutPolicyUpdates() };
}

/** The permissions of a state machine: it invokes its task, writes its log, and traces. */
function machinePermissions(task: IFunction): PolicyStatement[] {
  return [
    new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: invocableArns(task),
    }),
    // These actions support no resource-level permissions: https://docs.aws.amazon.com/step-functions/latest/dg/cw-logs.html
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

/**
 * The ARN of a task; of an alias also that of its function. An execution keeps the definition that it started with, and
 * waits for days: those that started before the alias existed invoke the function.
 * https://docs.aws.amazon.com/step-functions/latest/dg/concepts-state-machine-update.html
 */
function invocableArns(task: IFunction): string[] {
  return task instanceof Alias ? [task.functionArn, task.lambda.functionArn] : [task.functionArn];
}

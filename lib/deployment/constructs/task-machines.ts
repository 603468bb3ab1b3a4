import { RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import { type IRole, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Alias, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { DefinitionBody, LogLevel, StateMachine, StateMachineType } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { StageSettings } from '../stages.ts';

/** The names of the state machines. They are fixed, so that the functions that start executions can be granted that, tasks included. */
export function machineNames({ name }: Pick<StageSettings, 'name'>) {
  return {
    timers: `vouchsafe-${name}-timers`,
    firstAttempts: `vouchsafe-${name}-webhook-delivery`,
    laterAttempts: `vouchsafe-${name}-webhook-retries`,
    bankImport: `vouchsafe-${name}-bank-import`,
  };
}

export interface MachineProps {
  readonly name: string;
  readonly comment: string;
  /** In the Amazon States Language. */
  readonly definition: object;
}

/** State machines that invoke one function, with one log group and one role. */
export class TaskMachines extends Construct {
  readonly #log: LogGroup;
  readonly #role: IRole;

  /** @param task the function or alias that they invoke, and the only function that they may invoke. */
  constructor(scope: Construct, id: string, { stage, task }: { stage: StageSettings; task: IFunction }) {
    super(scope, id);
    this.#log = new LogGroup(this, 'Log', {
      retention: stage.logRetentionDays,
      removalPolicy: stage.keepLogs ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('states.amazonaws.com'),
      inlinePolicies: { Grants: new PolicyDocument({ statements: machinePermissions(task) }) },
    });
    Validations.of(role).acknowledge({
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'Log delivery and tracing of Step Functions support no narrower resource.',
    });
    // An immutable role gets exactly the policy above.
    this.#role = role.withoutPolicyUpdates();
  }

  /** Adds a machine whose executions wait for days and keep their history, which operators can watch. */
  addStandard(id: string, props: MachineProps): this {
    this.#add(id, StateMachineType.STANDARD, LogLevel.ALL, props);
    return this;
  }

  /** Adds an express machine, whose executions have no history. Only failures are logged: there are as many executions as deliveries. */
  addExpress(id: string, props: MachineProps): this {
    Validations.of(this.#add(id, StateMachineType.EXPRESS, LogLevel.ERROR, props)).acknowledge({
      id: 'AwsSolutions-SF1',
      reason:
        'A log record for each delivery would cost more than the delivery. The table has every attempt.',
    });
    return this;
  }

  #add(
    id: string,
    stateMachineType: StateMachineType,
    level: LogLevel,
    { name, comment, definition }: MachineProps,
  ) {
    return new StateMachine(this, id, {
      stateMachineName: name,
      stateMachineType,
      comment,
      definitionBody: DefinitionBody.fromString(Stack.of(this).toJsonString(definition)),
      role: this.#role,
      // Names and times, never the data of an execution, which identifies the subscribers of applications.
      logs: { destination: this.#log, level, includeExecutionData: false },
      tracingEnabled: true,
    });
  }
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

import {
  Annotations,
  ArnFormat,
  CfnOutput,
  Duration,
  Stack,
  type StackProps,
  Validations,
} from 'aws-cdk-lib';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { type Registered, registeredRoutes } from '../../../functions/routes.ts';
import { type RegisteredTimer, registeredTimers } from '../../../functions/timers.ts';
import type { Bundle } from '../bundling/bundle.ts';
import { addAlarms, type DeploymentAlarms } from '../constructs/alarms.ts';
import { addDashboard } from '../constructs/dashboard.ts';
import { liveAlias } from '../constructs/gradual-deployment.ts';
import { machineNames } from '../constructs/task-machines.ts';
import { acknowledgedGrants } from '../grants.ts';
import { missingChoices } from '../missing-settings.ts';
import { type ServicePart, serviceParts } from '../service-parts.ts';
import { deadLetterQueueName, placeholderSender, type StageSettings, stageFileName } from '../stages.ts';
import { GatewayStack } from './gateway-stack.ts';
import { ServiceStack } from './service-stack.ts';

/**
 * The records that the consumers of the table's stream could not handle, for as long as SQS keeps a message. A message names a shard
 * and sequence numbers, and contains no item.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-errors.html
 */
class DeadLetters extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, stage: StageSettings) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', {
      queueName: deadLetterQueueName(stage),
      retentionPeriod: Duration.days(14),
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
    });
    Validations.of(this.queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason: 'It is the dead-letter queue itself.',
    });
  }
}

export interface ApiStackProps extends StackProps {
  readonly stage: StageSettings;
  readonly table: TableV2;
  readonly deploymentKey: Secret;
  /** One for each route and timer. */
  readonly bundles: readonly Pick<Bundle, 'id' | 'directory'>[];
  /** Contains the geo data; without it every location is unknown. */
  readonly geoDirectory?: string;
  readonly registry?: readonly Registered[];
  readonly timers?: readonly RegisteredTimer[];
}

/**
 * Everything that has no state: a nested stack for each service, one for the REST API, the alarms and the dashboard.
 *
 * Nested stacks and fixed names, so that a function can be removed or renamed in one deployment: no stack exports what
 * another imports, and CloudFormation deletes what a nested stack no longer has only after all nested stacks are updated,
 * the API among them.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/troubleshooting.html#troubleshooting-errors-nested-stacks-are-stuck
 */
export class ApiStack extends Stack {
  /** By the id of the service's part. */
  readonly services: ReadonlyMap<string, ServiceStack>;
  readonly gateway: GatewayStack;

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    const { stage, table, registry = registeredRoutes(), timers = registeredTimers() } = props;
    if (stage.mailSender === placeholderSender) {
      Annotations.of(this).addWarningV2(
        'vouchsafe:mailSender',
        `Mail cannot be sent from ${placeholderSender}: set mailSender in ${stageFileName} to an identity that SES has verified.`,
      );
    }
    const missing = missingChoices(stage);
    if (missing.length > 0) {
      Annotations.of(this).addWarningV2(
        'vouchsafe:choices',
        [
          `${stage.name} has the stricter values until ${stageFileName} chooses (docs/deploy.md):`,
          ...missing,
        ].join('\n  '),
      );
    }
    Validations.of(this).acknowledge(...acknowledgedGrants(stage, this));

    const parts = serviceParts(stage, registry, timers);
    const functions = parts.flatMap((part) => part.functions);
    // A timer with neither a schedule nor the stream is a task of the state machine.
    const machineArn = timers.some(
      ({ timer }) => timer.everyMinutes === undefined && timer.stream === undefined,
    )
      ? this.formatArn({
          service: 'states',
          resource: 'stateMachine',
          resourceName: machineNames(stage).timers,
          arnFormat: ArnFormat.COLON_RESOURCE_NAME,
        })
      : undefined;
    const deadLetters = new DeadLetters(this, 'DeadLetters', stage);
    const deploymentAlarms = this.#addAlarms(stage, functions, machineArn);
    this.services = this.#addServices(parts, props, deploymentAlarms);
    const invokedName = (functionName: string) =>
      stage.gradualDeployment === undefined ? functionName : `${functionName}:${liveAlias}`;
    this.gateway = new GatewayStack(this, 'Gateway', {
      stage,
      registry,
      functionNames: new Map(
        functions.map(({ entry, functionName }) => [entry.id, invokedName(functionName)]),
      ),
    });
    // The stacks refer to the queue by its name, and the gateway to functions by theirs, which does not say that they have to exist first.
    for (const service of this.services.values()) {
      service.node.addDependency(deadLetters);
      this.gateway.addStackDependency(service);
    }

    addDashboard(this, 'Dashboard', { stage, table, functions, machineArn });
    new CfnOutput(this, 'Url', {
      description: 'The address of the API.',
      value: stage.domain ? `https://${stage.domain.name}/` : this.gateway.api.url,
    });
  }

  #addServices(
    parts: readonly ServicePart[],
    props: ApiStackProps,
    deploymentAlarms: DeploymentAlarms | undefined,
  ): Map<string, ServiceStack> {
    const { stage, table, deploymentKey, geoDirectory } = props;
    const directories = new Map(props.bundles.map((bundle) => [bundle.id, bundle.directory]));
    return new Map(
      parts.map((part) => [
        part.id,
        new ServiceStack(this, part.id, {
          part,
          stage,
          table,
          deploymentKey,
          directories,
          geoDirectory,
          deploymentAlarms,
        }),
      ]),
    );
  }

  #addAlarms(
    stage: StageSettings,
    functions: ServicePart['functions'],
    machineArn: string | undefined,
  ): DeploymentAlarms | undefined {
    const { all, deployment } = addAlarms(this, { stage, functions, machineArn });
    if (stage.alarmEmail === undefined) return deployment;
    const topic = new Topic(this, 'Alarms', { enforceSSL: true });
    topic.addSubscription(new EmailSubscription(stage.alarmEmail));
    for (const alarm of all) alarm.addAlarmAction(new SnsAction(topic));
    return deployment;
  }
}

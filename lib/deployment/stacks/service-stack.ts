import { ArnFormat, Duration, NestedStack } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  Code,
  EventSourceMapping,
  type IFunction,
  LayerVersion,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Registered } from '../../../functions/routes.ts';
import type { Auth } from '../../../functions/shared/contract/callers.ts';
import { defined } from '../../../functions/shared/contract/defined.ts';
import type { Grants } from '../../../functions/shared/contract/grants.ts';
import type { StreamFilter } from '../../../functions/shared/contract/route.ts';
import type { RegisteredTimer } from '../../../functions/timers.ts';
import type { DeploymentAlarms } from '../constructs/alarms.ts';
import { GradualDeployment } from '../constructs/gradual-deployment.ts';
import { ServiceFunction, type ServiceFunctionProps } from '../constructs/service-function.ts';
import { machineNames, TaskMachines } from '../constructs/task-machines.ts';
import { permissionsOf, type Resources, routeGrants, variablesOf } from '../grants.ts';
import type { DeployedFunction, ServicePart } from '../service-parts.ts';
import { deadLetterQueueName, deviceManagementProofOf, publicUrlOf } from '../stages.ts';
import { bankImport, importTask } from '../state-machines/bank-import.ts';
import { subscriptionTasks, subscriptionTimer } from '../state-machines/subscription.ts';
import { deliveryTask, firstAttempts, laterAttempts } from '../state-machines/webhook-delivery.ts';
import { consumerTimeoutMs, filterPattern, streamSettings } from '../stream.ts';

export interface ServiceStackProps extends Omit<Resources, 'geo'> {
  readonly part: ServicePart;
  /** The directory of each function's bundle, by the id of its route or timer. */
  readonly directories: ReadonlyMap<string, string>;
  /** Contains the geo data; without it every location is unknown. */
  readonly geoDirectory: string | undefined;
  /** The alarms that move requests back to the former version of a function. Absent when requests move at once. */
  readonly deploymentAlarms: DeploymentAlarms | undefined;
}

/** Authentication methods that identify an application. Its requests are rate limited. */
const applicationAuth: ReadonlySet<Auth> = new Set(['links', 'apiKey', 'application', 'seller']);

/** The functions of a service, with their roles, log groups, schedules and event source mappings, and the state machine of its timers. */
export class ServiceStack extends NestedStack {
  readonly #props: ServiceStackProps;
  readonly #resources: Resources;
  readonly #gradual: GradualDeployment | undefined;

  constructor(scope: Construct, id: string, props: ServiceStackProps) {
    super(scope, id);
    this.#props = props;
    const { stage, table, deploymentKey, part } = props;
    this.#gradual =
      stage.gradualDeployment && new GradualDeployment(this, `Gradual-${part.id}`, stage.gradualDeployment);
    const usesGeo = part.functions.some((deployed) => grantsOf(deployed).uses?.includes('geo'));
    const geo = usesGeo && props.geoDirectory ? this.#geoLayer(props.geoDirectory) : undefined;
    this.#resources = defined({ stage, table, deploymentKey, geo });
    const tasks = new Map<string, IFunction>();
    for (const deployed of part.functions) {
      if (deployed.kind === 'api') this.#addEndpoint(deployed.entry, deployed.functionName);
      else if (deployed.entry.timer.everyMinutes !== undefined)
        this.#addSchedule(deployed.entry, deployed.functionName);
      else if (deployed.entry.timer.stream !== undefined)
        this.#addConsumer(deployed.entry, deployed.entry.timer.stream, deployed.functionName);
      else tasks.set(deployed.entry.id, this.#addTask(deployed.entry, deployed.functionName));
    }
    this.#addMachines(tasks);
  }

  #addMachines(tasks: ReadonlyMap<string, IFunction>): void {
    const { stage } = this.#props;
    const names = machineNames(stage);
    const step = tasks.get(subscriptionTasks.step);
    if (step)
      new TaskMachines(this, 'Timers', { stage, task: step }).addStandard('Machine', {
        name: names.timers,
        comment: 'Waits for the steps of subscriptions.',
        definition: subscriptionTimer({ step: step.functionArn }),
      });
    const attempt = tasks.get(deliveryTask);
    if (attempt)
      new TaskMachines(this, 'Deliveries', { stage, task: attempt })
        .addExpress('First', {
          name: names.firstAttempts,
          comment: 'Makes the first attempts of webhook deliveries.',
          definition: firstAttempts(attempt.functionArn),
        })
        .addStandard('Later', {
          name: names.laterAttempts,
          comment: 'Waits for the later attempts of webhook deliveries.',
          definition: laterAttempts(attempt.functionArn),
        });
    const record = tasks.get(importTask);
    if (record)
      new TaskMachines(this, 'BankImport', { stage, task: record }).addStandard('Machine', {
        name: names.bankImport,
        comment: 'Imports bank statements.',
        definition: bankImport(record.functionArn),
      });
  }

  #addEndpoint(entry: Registered, functionName: string): void {
    const { route } = entry;
    const { stage } = this.#props;
    this.#addFunction(entry, {
      functionName,
      description: `${route.method} ${route.path}: ${route.summary}`,
      grants: routeGrants(route, stage),
      environment: defined({
        ALLOWED_ORIGINS: route.cors ? JSON.stringify(stage.allowedOrigins) : undefined,
        APPLICATION_REQUESTS_PER_SECOND: applicationAuth.has(route.auth)
          ? String(stage.applicationRequestsPerSecond)
          : undefined,
        DEVICE_MANAGEMENT_PROOF:
          route.auth === 'management' ? String(deviceManagementProofOf(stage)) : undefined,
      }),
    });
  }

  #addSchedule(entry: RegisteredTimer, functionName: string): void {
    const { summary, everyMinutes = 0, grants } = entry.timer;
    const description = `Every ${everyMinutes} minutes: ${summary}`;
    // A timer works until its next run; 15 minutes is the longest timeout that Lambda allows.
    const overrides = { timeout: Duration.minutes(Math.min(everyMinutes, 15)) };
    const environment = this.#mailRate(grants);
    const made = this.#addFunction(entry, { functionName, description, grants, environment, overrides });
    const { construct, invoked } = made;
    const rule = new Rule(construct, 'Schedule', { schedule: Schedule.rate(Duration.minutes(everyMinutes)) });
    // The next run does what this one leaves undone, so a failed event is not retried.
    rule.addTarget(new FunctionTarget(invoked, { retryAttempts: 0 }));
  }

  /** Hands the stream of the table to a function. What it could not handle goes to the queue. */
  #addConsumer(entry: RegisteredTimer, filter: StreamFilter, functionName: string): void {
    const { summary, grants } = entry.timer;
    const streamArn = this.#props.table.tableStreamArn;
    if (streamArn === undefined) throw new Error('The table has no stream');
    const { batchSize, parallelizationFactor, retryAttempts, maxRecordAgeMs } = streamSettings(entry.timer);
    const queueArn = this.formatArn({
      service: 'sqs',
      resource: deadLetterQueueName(this.#props.stage),
      arnFormat: ArnFormat.NO_RESOURCE_NAME,
    });
    const { construct, invoked } = this.#addFunction(entry, {
      functionName,
      description: `By the stream: ${summary}`,
      grants,
      environment: this.#mailRate(grants),
      overrides: { timeout: Duration.millis(consumerTimeoutMs) },
      permissions: streamPermissions(streamArn, queueArn),
    });
    new EventSourceMapping(construct, 'Stream', {
      target: invoked,
      eventSourceArn: streamArn,
      filters: [{ pattern: JSON.stringify(filterPattern(filter)) }],
      // From the oldest record: what is written while the mapping is created reaches the consumers too.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize,
      parallelizationFactor,
      retryAttempts,
      maxRecordAge: Duration.millis(maxRecordAgeMs),
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      onFailure: { bind: () => ({ destination: queueArn }) },
    });
  }

  /** How many mails a second a function that sends them may send, when no request bounds it. */
  #mailRate({ uses }: Grants): Record<string, string> {
    const sendsMail = uses?.some((one) => one === 'mail' || one === 'rawMail');
    return defined({ MAILS_PER_SECOND: sendsMail ? String(this.#props.stage.mailsPerSecond) : undefined });
  }

  #addTask(entry: RegisteredTimer, functionName: string): IFunction {
    const { summary, grants, timeoutSeconds } = entry.timer;
    const description = `By a state machine: ${summary}`;
    const overrides = timeoutSeconds === undefined ? {} : { timeout: Duration.seconds(timeoutSeconds) };
    return this.#addFunction(entry, { functionName, description, grants, overrides }).invoked;
  }

  #addFunction(
    { id, service, name }: Pick<Registered, 'id' | 'service' | 'name'>,
    props: Pick<ServiceFunctionProps, 'functionName' | 'description'> & {
      readonly grants: Grants;
      readonly environment?: Record<string, string>;
      /** Beyond those of the grants. */
      readonly permissions?: PolicyStatement[];
      readonly overrides?: ServiceFunctionProps['overrides'];
    },
  ): { construct: ServiceFunction; invoked: IFunction } {
    const { functionName, description, grants, environment, permissions = [], overrides } = props;
    const directory = this.#props.directories.get(id);
    if (directory === undefined) throw new Error(`${id} has no bundle`);
    const { geo, stage } = this.#resources;
    const reserved = new Map(Object.entries(stage.reservedConcurrency ?? {}));
    const construct = new ServiceFunction(this, `${service}-${name}`, {
      directory,
      functionName,
      description: description.slice(0, 256),
      service,
      stage,
      permissions: [...permissionsOf(grants, this.#resources), ...permissions],
      environment: {
        ...defined({ PUBLIC_URL: publicUrlOf(stage) }),
        ...environment,
        ...variablesOf(grants, this.#resources),
      },
      overrides: {
        ...defined({
          layers: geo && grants.uses?.includes('geo') ? [geo] : undefined,
          reservedConcurrentExecutions: reserved.get(id),
        }),
        ...overrides,
      },
    });
    const invoked =
      this.#gradual?.add(construct, construct.function, this.#alarmsOf(id)) ?? construct.function;
    return { construct, invoked };
  }

  #alarmsOf(id: string): IAlarm[] {
    const { api, timers } = this.#props.deploymentAlarms ?? { api: [], timers: new Map() };
    const own = timers.get(id);
    return own === undefined ? api : [...api, own];
  }

  #geoLayer(directory: string): LayerVersion {
    return new LayerVersion(this, 'Geo', {
      code: Code.fromAsset(directory),
      description: 'Locations and networks of IP addresses: MMDB files. CC BY 4.0, see NOTICE.',
      license: 'CC-BY-4.0',
    });
  }
}

/**
 * The permissions of Lambda to hand a stream to a function: to read it, and to report what failed for good. `ListStreams` takes no
 * resource: it tells the names of streams, and nothing that is in them.
 * https://docs.aws.amazon.com/lambda/latest/dg/services-dynamodb-eventsourcemapping.html
 * https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazondynamodb.html
 */
function streamPermissions(streamArn: string, queueArn: string): PolicyStatement[] {
  const actions = ['DescribeStream', 'GetRecords', 'GetShardIterator'];
  return [
    new PolicyStatement({ actions: actions.map((action) => `dynamodb:${action}`), resources: [streamArn] }),
    new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: ['*'] }),
    new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [queueArn] }),
  ];
}

function grantsOf(deployed: DeployedFunction): Grants {
  return deployed.kind === 'api' ? deployed.entry.route.grants : deployed.entry.timer.grants;
}

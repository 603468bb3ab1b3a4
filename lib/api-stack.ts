import { Annotations, CfnOutput, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as FunctionTarget } from 'aws-cdk-lib/aws-events-targets';
import { Code, type Function as LambdaFunction, LayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import { type Registered, registeredRoutes } from '../functions/routes.ts';
import type { Auth, Grants } from '../functions/shared/contract/route.ts';
import { type RegisteredTimer, registeredTimers } from '../functions/timers.ts';
import type { Bundle } from './bundle.ts';
import { functionAlarms, gatewayAlarm, machineAlarm, timerAlarms } from './constructs/alarms.ts';
import { addDashboard } from './constructs/dashboard.ts';
import { Gateway } from './constructs/gateway.ts';
import { ServiceFunction, type ServiceFunctionProps } from './constructs/service-function.ts';
import { TimerMachine } from './constructs/timer-machine.ts';
import { acknowledgedGrants, permissionsOf, type Resources, routeGrants, variablesOf } from './grants.ts';
import { placeholderSender, type StageSettings } from './stages.ts';
import { subscriptionTasks } from './timers/subscription.ts';

export interface ApiStackProps extends StackProps {
  readonly stage: StageSettings;
  readonly table: TableV2;
  readonly deploymentKey: Secret;
  /** One for each route and timer. */
  readonly bundles: readonly Pick<Bundle, 'id' | 'directory'>[];
  /** Holds the geo data; without it every place is unknown. */
  readonly geoDirectory?: string;
  readonly registry?: readonly Registered[];
  readonly timers?: readonly RegisteredTimer[];
}

/** Ways of authenticating by which an application is known, and counted. */
const applicationAuth: ReadonlySet<Auth> = new Set(['links', 'apiKey']);

/** All that has no state: for each route and timer a function with its grants and alarms, and the API. */
export class ApiStack extends Stack {
  readonly #directories: ReadonlyMap<string, string>;
  readonly #stage: StageSettings;
  readonly #resources: Resources;
  /** The functions that the state machine invokes, by id. */
  readonly #tasks = new Map<string, LambdaFunction>();
  #machine: StateMachine | undefined;

  constructor(scope: Construct, id: string, props: ApiStackProps) {
    super(scope, id, props);
    const { stage, table, deploymentKey, geoDirectory } = props;
    const { registry = registeredRoutes(), timers = registeredTimers() } = props;
    this.#directories = new Map(props.bundles.map((bundle) => [bundle.id, bundle.directory]));
    this.#stage = stage;
    this.#resources = {
      stage,
      table,
      deploymentKey,
      ...(geoDirectory && { geo: this.#geoLayer(geoDirectory) }),
    };
    if (stage.mailSender === placeholderSender) {
      Annotations.of(this).addWarningV2(
        'vouchsafe:mailSender',
        `No mail can be sent as ${placeholderSender}: set mailSender in lib/stages.ts to what SES has verified.`,
      );
    }

    Validations.of(this).acknowledge(...acknowledgedGrants(stage, this));

    const alarms: Alarm[] = [];
    const functions = registry.map((entry) => {
      const { route } = entry;
      const description = `${route.method} ${route.path}: ${route.summary}`;
      const house = this.#addFunction(entry, description, routeGrants(route, stage), {
        ...(route.cors && { ALLOWED_ORIGINS: JSON.stringify(stage.allowedOrigins) }),
        ...(applicationAuth.has(route.auth) && {
          APPLICATION_REQUESTS_PER_SECOND: String(stage.applicationRequestsPerSecond),
        }),
        ...(route.auth === 'management' && { DEVICE_MANAGEMENT_PROOF: String(stage.deviceManagementProof) }),
      });
      alarms.push(...functionAlarms(house, entry, house.function, stage));
      return { entry, function: house.function };
    });
    for (const entry of timers) alarms.push(...this.#addTimer(entry));
    const { api } = new Gateway(this, 'Gateway', {
      stage,
      registry,
      functions: new Map(functions.map(({ entry, function: target }) => [entry.id, target])),
    });
    alarms.push(gatewayAlarm(this, api, stage));
    addDashboard(this, 'Dashboard', { stage, api, table, functions, machine: this.#machine });
    if (stage.alarmEmail !== undefined) this.#notify(stage.alarmEmail, alarms);
    new CfnOutput(this, 'Url', { value: stage.domain ? `https://${stage.domain.name}/` : api.url });
  }

  #addFunction(
    { id, service, name }: Pick<Registered, 'id' | 'service' | 'name'>,
    description: string,
    grants: Grants,
    environment: Record<string, string> = {},
    overrides: ServiceFunctionProps['overrides'] = {},
  ): ServiceFunction {
    const directory = this.#directories.get(id);
    if (directory === undefined) throw new Error(`${id} has no bundle`);
    const { geo } = this.#resources;
    return new ServiceFunction(this, `${service}-${name}`, {
      directory,
      description: description.slice(0, 256),
      service,
      stage: this.#stage,
      permissions: permissionsOf(grants, this.#resources),
      environment: { ...environment, ...variablesOf(grants, this.#resources) },
      overrides: { ...(geo && grants.uses?.includes('geo') && { layers: [geo] }), ...overrides },
    });
  }

  /** A function that the state machine invokes; with the last of them the machine. */
  #addTask(entry: RegisteredTimer): Alarm[] {
    const { summary, grants } = entry.timer;
    const house = this.#addFunction(entry, `By a state machine: ${summary}`, grants);
    const alarms = timerAlarms(house, entry, house.function, this.#stage);
    this.#tasks.set(entry.id, house.function);
    const step = this.#tasks.get(subscriptionTasks.step);
    const delivery = this.#tasks.get(subscriptionTasks.delivery);
    if (step === undefined || delivery === undefined || this.#machine !== undefined) return alarms;
    const { machine } = new TimerMachine(this, 'Timers', { stage: this.#stage, tasks: { step, delivery } });
    this.#machine = machine;
    return [...alarms, machineAlarm(machine, this.#stage)];
  }

  #addTimer(entry: RegisteredTimer): Alarm[] {
    const { summary, everyMinutes, grants } = entry.timer;
    if (everyMinutes === undefined) return this.#addTask(entry);
    const text = `Every ${everyMinutes} minutes: ${summary}`;
    // Most have little to do; who comes rarely finds much, and Lambda gives a quarter of an hour at most.
    const overrides = everyMinutes < 60 ? {} : { timeout: Duration.minutes(15) };
    const house = this.#addFunction(entry, text, grants, {}, overrides);
    const rule = new Rule(house, 'Schedule', { schedule: Schedule.rate(Duration.minutes(everyMinutes)) });
    // What one run leaves undone the next one does: no need to try the same event again.
    rule.addTarget(new FunctionTarget(house.function, { retryAttempts: 0 }));
    return timerAlarms(house, entry, house.function, this.#stage);
  }

  #geoLayer(directory: string): LayerVersion {
    return new LayerVersion(this, 'Geo', {
      code: Code.fromAsset(directory),
      description: 'Where addresses are and whose networks: MMDB files. CC BY 4.0, see NOTICE.',
      license: 'CC-BY-4.0',
    });
  }

  #notify(email: string, alarms: readonly Alarm[]): void {
    const topic = new Topic(this, 'Alarms', { enforceSSL: true });
    topic.addSubscription(new EmailSubscription(email));
    for (const alarm of alarms) alarm.addAlarmAction(new SnsAction(topic));
  }
}

import { Duration, Stack } from 'aws-cdk-lib';
import {
  type Alarm,
  ComparisonOperator,
  type CreateAlarmOptions,
  type Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { DeployedFunction } from '../service-parts.ts';
import type { StageSettings } from '../stages.ts';
import { deliveryTask } from '../state-machines/webhook-delivery.ts';
import {
  apiMetric,
  blockedRequestsMetric,
  countedMetric,
  deadLetterMetric,
  functionMetric,
  machineMetric,
} from './metrics.ts';

const period = Duration.minutes(5);
const sum = { period, statistic: Stats.SUM };
/** The shortest period of the metrics of API Gateway: a canary lasts five of them. */
const deploymentPeriod = Duration.minutes(1);
/** A fifth of a function's timeout. The table responds within milliseconds, so this latency indicates a fault. */
const slowMs = 5_000;
/** In each of three periods. A single scan of a bot ends sooner. */
const manyBlockedRequests = 1_000;

const defaults = {
  threshold: 1,
  evaluationPeriods: 1,
  comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  // No traffic is not a failure.
  treatMissingData: TreatMissingData.NOT_BREACHING,
} satisfies Partial<CreateAlarmOptions>;

export interface AlarmsProps {
  readonly stage: StageSettings;
  readonly functions: readonly DeployedFunction[];
  /** The state machine of the subscriptions' timers. */
  readonly machineArn: string | undefined;
}

/** The alarms that end a gradual deployment. */
export interface DeploymentAlarms {
  /** Of every function. */
  readonly api: Alarm[];
  /** Of a timer, by its id. */
  readonly timers: ReadonlyMap<string, Alarm>;
}

export interface StageAlarms {
  readonly all: readonly Alarm[];
  /** Absent when requests move to a new version at once. */
  readonly deployment: DeploymentAlarms | undefined;
}

/**
 * The alarms of a stage: three for the API, one for each timer that the stream does not invoke, one for what the consumers
 * of the stream could not handle, one each for given-up mails, for disabled webhooks and for events of Stripe that cannot be
 * read, one for the state machine, in a stage with gradual deployment one for the new version, and in a stage with AWS WAF one
 * for what it refuses. CloudWatch bills each metric of an alarm, so endpoints share theirs: the API counts every response with
 * a 5xx, a crash of a function included, and the dashboard shows which function caused it.
 */
export function addAlarms(scope: Construct, { stage, functions, machineArn }: AlarmsProps): StageAlarms {
  const add = alarmsIn(scope, stage);
  const timers = functions.filter((deployed) => deployed.kind === 'timer');
  const consumers = timers.filter(({ entry }) => entry.timer.stream !== undefined);
  const failing = new Map(
    timers
      .filter((one) => !consumers.includes(one) && one.entry.id !== deliveryTask)
      .map(({ entry: { id, timer }, functionName }) => [
        id,
        add(
          functionMetric(functionName, 'Errors', sum),
          `TimerFailing-${id}`,
          `the timer ${id} fails. ${timer.everyMinutes === undefined ? 'The state machine retries it.' : 'The next run does what this one left undone.'}`,
        ),
      ]),
  );
  const deadLetters = add(
    deadLetterMetric(stage, { period, statistic: Stats.MAXIMUM }),
    'StreamFailing',
    "a consumer of the table's stream could not handle records. The sweeps do what is left undone; the queue tells what failed.",
  );
  const deployment =
    stage.gradualDeployment === undefined
      ? undefined
      : {
          api: [addDeploymentAlarm(scope, stage)],
          timers: new Map([...failing, ...consumers.map(({ entry }) => [entry.id, deadLetters] as const)]),
        };
  const machine = machineArn === undefined ? [] : [machineMetric(machineArn, 'ExecutionsFailed', sum)];
  const all = [
    ...addApiAlarms(scope, stage),
    ...failing.values(),
    deadLetters,
    ...(deployment?.api ?? []),
    ...addServiceAlarms(scope, stage),
    ...machine.map((metric) =>
      add(
        metric,
        'TimersFailing',
        "executions of the subscriptions' timers fail for good. The sweep starts them again; their executions contain the cause.",
      ),
    ),
  ];
  return { all, deployment };
}

function addApiAlarms(scope: Construct, stage: StageSettings): Alarm[] {
  const add = alarmsIn(scope, stage);
  return [
    add(
      apiMetric(stage, '5XXError', sum),
      'ApiFailing',
      "the API responds with 5xx. The access log names the routes; the functions' logs contain the cause under the audit id.",
    ),
    add(
      apiMetric(stage, 'Latency', { period, statistic: Stats.p(99) }),
      'ApiSlow',
      `the 99th percentile of the API's latency is over ${slowMs} ms for 15 minutes. The dashboard shows the duration by route.`,
      { threshold: slowMs, evaluationPeriods: 3 },
    ),
    add(
      functionMetric(undefined, 'Throttles', sum),
      'FunctionsThrottled',
      "Lambda throttles functions because the account's concurrency in this region is used up.",
    ),
  ];
}

function addServiceAlarms(scope: Construct, stage: StageSettings): Alarm[] {
  const add = alarmsIn(scope, stage);
  const blocked = stage.webApplicationFirewall
    ? [blockedRequestsMetric(stage, Stack.of(scope).region, sum)]
    : [];
  return [
    add(
      countedMetric(stage, 'mail', 'MailsGivenUp', sum),
      'MailsGivenUp',
      'mails were given up. An operator lists them and sends them again.',
    ),
    add(
      countedMetric(stage, 'webhooks', 'WebhooksDisabled', sum),
      'WebhooksDisabled',
      'webhooks of applications were disabled, because they answered 410 or failed for five days.',
    ),
    add(
      countedMetric(stage, 'payments', 'EventsUnreadable', sum),
      'EventsUnreadable',
      'Stripe sent events that lack what their type documents. They are kept, and nothing of them is booked.',
    ),
    ...blocked.map((metric) =>
      add(
        metric,
        'RequestsBlocked',
        `AWS WAF refuses over ${manyBlockedRequests} requests in five minutes, for 15 minutes: a flood, or clients that a rule takes for one.`,
        { threshold: manyBlockedRequests, evaluationPeriods: 3 },
      ),
    ),
  ];
}

/** Adds alarms by their ids, which are also those of their entries in the runbook. */
const alarmsIn =
  (scope: Construct, stage: StageSettings) =>
  (metric: Metric, id: string, text: string, more: Partial<CreateAlarmOptions> = {}): Alarm =>
    metric.createAlarm(scope, id, {
      ...defaults,
      alarmDescription: `${stage.name}: ${text} See docs/runbook.md#${id.toLowerCase().replaceAll('.', '')}.`,
      ...more,
    });

/**
 * The functions handle their own errors, so that Lambda counts none of them: the responses of the API tell whether a new
 * version fails.
 */
const addDeploymentAlarm = (scope: Construct, stage: StageSettings): Alarm =>
  alarmsIn(scope, stage)(
    apiMetric(stage, '5XXError', { period: deploymentPeriod, statistic: Stats.SUM }),
    'DeploymentFailing',
    'the API responds with 5xx. A deployment that is in progress is rolled back.',
  );

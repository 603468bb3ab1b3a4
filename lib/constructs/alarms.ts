import { Duration } from 'aws-cdk-lib';
import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import {
  type Alarm,
  ComparisonOperator,
  type CreateAlarmOptions,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { Registered } from '../../functions/routes.ts';
import type { RegisteredTimer } from '../../functions/timers.ts';
import type { StageSettings } from '../stages.ts';
import { metricsNamespace } from './service-function.ts';

const period = Duration.minutes(5);
/** A fifth of the functions' time: the table answers in milliseconds, so this is no bad luck. */
const slowMs = 5_000;

const alarmDefaults = {
  threshold: 1,
  evaluationPeriods: 1,
  comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
  // Nobody calling is no failure.
  treatMissingData: TreatMissingData.NOT_BREACHING,
} satisfies Partial<CreateAlarmOptions>;

/** What failed of one function: answers with a 5xx that it counted itself, and calls that ended without an answer. */
export function failures(
  { service, name, route }: Registered,
  target: LambdaFunction,
  stage: StageSettings,
): MathExpression {
  const answered = new Metric({
    namespace: metricsNamespace(stage),
    metricName: 'ServerErrors',
    dimensionsMap: { service, route: `${route.method} ${route.path}` },
    statistic: Stats.SUM,
    period,
  });
  // Names of its own for each function: a dashboard shows many of these in one graph.
  const id = `${service}_${name}`.replaceAll('-', '_');
  const answers = `answers_${id}`;
  const crashes = `crashes_${id}`;
  return new MathExpression({
    expression: `FILL(${answers}, 0) + FILL(${crashes}, 0)`,
    usingMetrics: { [answers]: answered, [crashes]: target.metricErrors({ period }) },
    label: `${route.method} ${route.path}`,
    period,
  });
}

/** Three alarms a function: it fails, it is throttled, it is slow three times in a row. */
export function functionAlarms(
  scope: Construct,
  entry: Registered,
  target: LambdaFunction,
  stage: StageSettings,
): Alarm[] {
  const what = `${stage.name}: ${entry.route.method} ${entry.route.path}`;
  return [
    failures(entry, target, stage).createAlarm(scope, 'Failing', {
      ...alarmDefaults,
      alarmDescription: `${what} answers with 5xx or crashes. The records with its audit ids say why.`,
    }),
    target.metricThrottles({ period }).createAlarm(scope, 'Throttled', {
      ...alarmDefaults,
      alarmDescription: `${what} is refused by Lambda: the account's concurrency is used up.`,
    }),
    target.metricDuration({ period, statistic: Stats.p(99) }).createAlarm(scope, 'Slow', {
      ...alarmDefaults,
      threshold: slowMs,
      evaluationPeriods: 3,
      alarmDescription: `${what} takes over ${slowMs} ms at the 99th percentile for 15 minutes.`,
    }),
  ];
}

/** A timer's run ends without doing its work. */
export function timerAlarms(
  scope: Construct,
  { id }: RegisteredTimer,
  target: LambdaFunction,
  stage: StageSettings,
): Alarm[] {
  return [
    target.metricErrors({ period, statistic: Stats.SUM }).createAlarm(scope, 'Failing', {
      ...alarmDefaults,
      alarmDescription: `${stage.name}: the timer ${id} fails. What it did not do waits for the next run.`,
    }),
    target.metricThrottles({ period }).createAlarm(scope, 'Throttled', {
      ...alarmDefaults,
      alarmDescription: `${stage.name}: the timer ${id} is refused by Lambda: the account's concurrency is used up.`,
    }),
  ];
}

/** Timers of subscriptions that gave up. */
export function machineAlarm(machine: StateMachine, stage: StageSettings): Alarm {
  return machine.metricFailed({ period, statistic: Stats.SUM }).createAlarm(machine, 'Failing', {
    ...alarmDefaults,
    alarmDescription: `${stage.name}: timers of subscriptions fail for good. The sweep starts them again; their executions say why.`,
  });
}

/** For failures before or behind the functions: a missing permission, a malformed answer, a time-out. */
export function gatewayAlarm(scope: Construct, api: SpecRestApi, stage: StageSettings): Alarm {
  return api.metricServerError({ period, statistic: Stats.SUM }).createAlarm(scope, 'GatewayFailing', {
    ...alarmDefaults,
    threshold: 5,
    alarmDescription: `${stage.name}: the API answers with 5xx. The access log says on which routes.`,
  });
}

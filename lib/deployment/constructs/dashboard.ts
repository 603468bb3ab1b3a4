import { Duration } from 'aws-cdk-lib';
import {
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Registered } from '../../../functions/routes.ts';
import type { DeployedFunction } from '../service-parts.ts';
import type { StageSettings } from '../stages.ts';
import { apiMetric, countedMetric, deadLetterMetric, functionMetric, machineMetric } from './metrics.ts';
import { metricsNamespace } from './service-function.ts';

export interface DashboardProps {
  readonly stage: StageSettings;
  readonly table: TableV2;
  readonly functions: readonly DeployedFunction[];
  /** The state machine of the subscriptions' timers. */
  readonly machineArn: string | undefined;
}

const period = Duration.minutes(5);
/** Functions in one graph of failures, which has three metrics for each. CloudWatch allows 500 in a graph. */
const failuresPerGraph = 160;
const sum = { statistic: Stats.SUM, period };

/** One page: the API as callers see it, each function, the table and the state machine. */
export function addDashboard(scope: Construct, id: string, props: DashboardProps): Dashboard {
  const { stage, table, functions, machineArn } = props;
  const byFunction = (metricName: 'Errors' | 'Throttles' | 'Duration', statistic: string) =>
    functions.map((deployed) =>
      functionMetric(deployed.functionName, metricName, { statistic, period, label: label(deployed) }),
    );
  const graph = (title: string, left: IMetric[], right: IMetric[] = []) =>
    new GraphWidget({ title, left, right, width: 12 });
  const failureGraphs = Array.from({ length: Math.ceil(functions.length / failuresPerGraph) }, (_, i) =>
    graph(
      i === 0 ? 'Failures by route and timer' : 'Failures, continued',
      functions
        .slice(i * failuresPerGraph, (i + 1) * failuresPerGraph)
        .map((deployed) =>
          deployed.kind === 'api'
            ? failures(deployed.entry, deployed.functionName, stage)
            : functionMetric(deployed.functionName, 'Errors', { ...sum, label: label(deployed) }),
        ),
    ),
  );
  return new Dashboard(scope, id, {
    widgets: [
      [
        graph('Requests, and responses with 4xx and 5xx', [
          apiMetric(stage, 'Count', sum),
          apiMetric(stage, '4XXError', sum),
          apiMetric(stage, '5XXError', sum),
        ]),
        graph('Latency (ms)', [
          apiMetric(stage, 'Latency', { statistic: Stats.p(50), period, label: 'p50' }),
          apiMetric(stage, 'Latency', { statistic: Stats.p(99), period, label: 'p99' }),
        ]),
      ],
      [...failureGraphs, graph('Duration by route and timer, p99 (ms)', byFunction('Duration', Stats.p(99)))],
      [
        graph('Throttled by Lambda', byFunction('Throttles', Stats.SUM)),
        graph(
          'Table: units consumed, requests throttled',
          [table.metricConsumedReadCapacityUnits(sum), table.metricConsumedWriteCapacityUnits(sum)],
          [table.metric('ReadThrottleEvents', sum), table.metric('WriteThrottleEvents', sum)],
        ),
      ],
      [
        graph('Mails given up', [countedMetric(stage, 'mail', 'MailsGivenUp', sum)]),
        graph(
          'Stream: age of the records that consumers read (ms), and what they could not handle',
          functions.flatMap((deployed) => iteratorAge(deployed)),
          [deadLetterMetric(stage, { statistic: Stats.MAXIMUM, period })],
        ),
      ],
      [
        ...(machineArn === undefined
          ? []
          : [
              graph(
                "Subscriptions' timers: started and succeeded, throttled and failed",
                [
                  machineMetric(machineArn, 'ExecutionsStarted', sum),
                  machineMetric(machineArn, 'ExecutionsSucceeded', sum),
                ],
                [
                  machineMetric(machineArn, 'ExecutionThrottled', sum),
                  machineMetric(machineArn, 'ExecutionsFailed', sum),
                ],
              ),
            ]),
      ],
    ],
  });
}

function label(deployed: DeployedFunction): string {
  return deployed.kind === 'api'
    ? `${deployed.entry.route.method} ${deployed.entry.route.path}`
    : deployed.entry.id;
}

/** How far a consumer of the stream is behind; none of any other function. */
function iteratorAge(deployed: DeployedFunction): IMetric[] {
  if (deployed.kind !== 'timer' || deployed.entry.timer.stream === undefined) return [];
  const options = { statistic: Stats.MAXIMUM, period, label: label(deployed) };
  return [functionMetric(deployed.functionName, 'IteratorAge', options)];
}

/** The failures of an endpoint: the 5xx responses that the function counts itself, and invocations that crash. */
function failures({ service, name, route }: Registered, functionName: string, stage: StageSettings) {
  const responses = new Metric({
    namespace: metricsNamespace(stage),
    metricName: 'ServerErrors',
    dimensionsMap: { service, route: `${route.method} ${route.path}` },
    ...sum,
  });
  // Ids are unique in a graph, and a graph shows many functions.
  const id = `${service}_${name}`.replaceAll('-', '_');
  const responseId = `responses_${id}`;
  const crashId = `crashes_${id}`;
  return new MathExpression({
    expression: `FILL(${responseId}, 0) + FILL(${crashId}, 0)`,
    usingMetrics: { [responseId]: responses, [crashId]: functionMetric(functionName, 'Errors', sum) },
    label: `${route.method} ${route.path}`,
    period,
  });
}

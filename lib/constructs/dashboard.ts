import type { SpecRestApi } from 'aws-cdk-lib/aws-apigateway';
import { Dashboard, GraphWidget, type IMetric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { StateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import type { Construct } from 'constructs';
import type { Registered } from '../../functions/routes.ts';
import type { StageSettings } from '../stages.ts';
import { failures } from './alarms.ts';

export interface DashboardProps {
  readonly stage: StageSettings;
  readonly api: SpecRestApi;
  readonly table: TableV2;
  readonly functions: readonly { entry: Registered; function: LambdaFunction }[];
  /** Where the timers of subscriptions wait. */
  readonly machine: StateMachine | undefined;
}

/** One page: the API as callers see it, its functions, its table. */
export function addDashboard(scope: Construct, id: string, props: DashboardProps): Dashboard {
  const { stage, api, table, functions, machine } = props;
  const perRoute = (metric: (target: LambdaFunction, label: string, entry: Registered) => IMetric) =>
    functions.map(({ entry, function: target }) =>
      metric(target, `${entry.route.method} ${entry.route.path}`, entry),
    );
  const graph = (title: string, left: IMetric[], right: IMetric[] = []) =>
    new GraphWidget({ title, left, right, width: 12 });
  const sum = { statistic: Stats.SUM };
  return new Dashboard(scope, id, {
    widgets: [
      [
        graph('Requests, and refused or failed', [
          api.metricCount(sum),
          api.metricClientError(sum),
          api.metricServerError(sum),
        ]),
        graph('Latency (ms)', [
          api.metricLatency({ statistic: Stats.p(50), label: 'p50' }),
          api.metricLatency({ statistic: Stats.p(99), label: 'p99' }),
        ]),
      ],
      [
        graph(
          'Failures by route',
          perRoute((target, _, entry) => failures(entry, target, stage)),
        ),
        graph(
          'Duration by route, p99 (ms)',
          perRoute((target, label) => target.metricDuration({ statistic: Stats.p(99), label })),
        ),
      ],
      [
        graph(
          'Throttled by Lambda',
          perRoute((target, label) => target.metricThrottles({ label })),
        ),
        graph(
          'Table: units consumed, requests throttled',
          [table.metricConsumedReadCapacityUnits(sum), table.metricConsumedWriteCapacityUnits(sum)],
          [table.metric('ReadThrottleEvents', sum), table.metric('WriteThrottleEvents', sum)],
        ),
      ],
      machine
        ? [
            graph(
              'Timers of subscriptions: started and done, refused and failed',
              [machine.metricStarted(sum), machine.metricSucceeded(sum)],
              [machine.metricThrottled(sum), machine.metricFailed(sum)],
            ),
          ]
        : [],
    ],
  });
}

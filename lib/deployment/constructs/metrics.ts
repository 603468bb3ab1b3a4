import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { deadLetterQueueName, type StageSettings } from '../stages.ts';
import { metricsNamespace } from './service-function.ts';

/**
 * Metrics that AWS publishes at no charge, and one that the functions publish. They are addressed by fixed names and not
 * by references, so that alarms and the dashboard need nothing from the stacks of the services.
 */

/** The name of the REST API, and the value of its metrics' only dimension. */
export const restApiName = ({ name }: StageSettings): string => `vouchsafe-${name}`;

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-metrics-and-dimensions.html */
export function apiMetric(
  stage: StageSettings,
  metricName: 'Count' | '4XXError' | '5XXError' | 'Latency',
  options: MetricOptions,
): Metric {
  const dimensionsMap = { ApiName: restApiName(stage) };
  return new Metric({ namespace: 'AWS/ApiGateway', metricName, dimensionsMap, ...options });
}

/** The name of the web ACL and of its metrics. */
export const firewallName = (stage: StageSettings): string => restApiName(stage);

/**
 * Requests that AWS WAF refused, of all its rules together.
 * https://docs.aws.amazon.com/waf/latest/developerguide/waf-metrics.html
 */
export function blockedRequestsMetric(stage: StageSettings, region: string, options: MetricOptions): Metric {
  return new Metric({
    namespace: 'AWS/WAFV2',
    metricName: 'BlockedRequests',
    dimensionsMap: { WebACL: firewallName(stage), Rule: 'ALL', Region: region },
    ...options,
  });
}

/**
 * A metric of one function; without a name, of all functions of the account in this region.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
 */
export function functionMetric(
  functionName: string | undefined,
  metricName: 'Errors' | 'Throttles' | 'Duration' | 'IteratorAge',
  options: MetricOptions,
): Metric {
  const dimensionsMap = functionName === undefined ? {} : { FunctionName: functionName };
  return new Metric({ namespace: 'AWS/Lambda', metricName, dimensionsMap, ...options });
}

/** https://docs.aws.amazon.com/step-functions/latest/dg/procedure-cw-metrics.html */
export function machineMetric(
  machineArn: string,
  metricName: 'ExecutionsStarted' | 'ExecutionsSucceeded' | 'ExecutionThrottled' | 'ExecutionsFailed',
  options: MetricOptions,
): Metric {
  return new Metric({
    namespace: 'AWS/States',
    metricName,
    dimensionsMap: { StateMachineArn: machineArn },
    ...options,
  });
}

/**
 * The messages in the dead-letter queue of the stream's consumers.
 * https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
 */
export function deadLetterMetric(stage: StageSettings, options: MetricOptions): Metric {
  return new Metric({
    namespace: 'AWS/SQS',
    metricName: 'ApproximateNumberOfMessagesVisible',
    dimensionsMap: { QueueName: deadLetterQueueName(stage) },
    ...options,
  });
}

/** A count of a service, of all functions together; published only when there is one. */
export function countedMetric(
  stage: StageSettings,
  service: 'mail' | 'webhooks' | 'payments',
  metricName: 'MailsGivenUp' | 'WebhooksDisabled' | 'EventsUnreadable',
  options: MetricOptions,
): Metric {
  return new Metric({
    namespace: metricsNamespace(stage),
    metricName,
    dimensionsMap: { service },
    ...options,
  });
}

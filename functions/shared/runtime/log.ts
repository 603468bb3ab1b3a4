import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

/** Created at the first record, because the environment is not read at import. */
let logger: Logger | undefined;
let metrics: Metrics | undefined;
let mailMetrics: Metrics | undefined;
let webhookMetrics: Metrics | undefined;
let paymentMetrics: Metrics | undefined;

/**
 * The log record of a request. It contains nothing that the caller sent: a query, a body or a referrer can
 * hold secrets.
 */
export interface RequestRecord {
  requestId: string;
  /** `GET /api/share`: the path of the route, never the requested path. */
  route: string;
  status: number;
  durationMs: number;
  /** The code of the error table, for an `ApiError`. */
  code?: string;
  auditId?: string;
}

/** Logs a request. A 5xx includes the cause and counts as `ServerErrors`, a 429 counts as `RateLimited`. */
export function recordRequest(record: RequestRecord, cause?: unknown): void {
  logger ??= new Logger();
  if (record.status >= 500) logger.error('request failed', { ...record, cause: describe(cause) });
  else logger.info('request', { ...record });
  if (record.status >= 500) count('ServerErrors', record.route);
  if (record.status === 429) count('RateLimited', record.route);
}

/** Logs a run of a timer, with the cause when part of it failed. */
export function recordRun(record: { timer: string; durationMs: number }, cause?: unknown): void {
  logger ??= new Logger();
  if (cause === undefined) logger.info('run', { ...record });
  else logger.error('run failed in part', { ...record, cause: describe(cause) });
}

/** Logs a problem that does not fail the request, because a later run resolves it. */
export function recordProblem(problem: string, cause: unknown): void {
  logger ??= new Logger();
  logger.warn(problem, { cause: describe(cause) });
}

/**
 * Logs a mail that is given up, and counts it as `MailsGivenUp` of the service `mail`: one metric for all functions, because
 * an alarm is billed by its metrics.
 */
export function recordGivenUpMail(record: { mail: string; possibleCopies: number }, cause: unknown): void {
  logger ??= new Logger();
  logger.error('a mail was given up', { ...record, cause: describe(cause) });
  mailMetrics ??= new Metrics({ serviceName: 'mail' });
  mailMetrics.singleMetric().addMetric('MailsGivenUp', MetricUnit.Count, 1);
}

/** Logs that a webhook was disabled, and counts it as `WebhooksDisabled` of the service `webhooks`. */
export function recordDisabledWebhook(webhook: { webhookId: string; reason: string }): void {
  logger ??= new Logger();
  logger.warn('a webhook was disabled', { ...webhook });
  webhookMetrics ??= new Metrics({ serviceName: 'webhooks' });
  webhookMetrics.singleMetric().addMetric('WebhooksDisabled', MetricUnit.Count, 1);
}

/** Logs that a gateway's event could not be read, and counts it as `EventsUnread` of the service `payments`. */
export function recordUnreadEvent(event: { applicationId: string; eventId: string }): void {
  logger ??= new Logger();
  logger.error("a gateway's event could not be read", { ...event });
  paymentMetrics ??= new Metrics({ serviceName: 'payments' });
  paymentMetrics.singleMetric().addMetric('EventsUnread', MetricUnit.Count, 1);
}

/** Emits a metric in the embedded metric format: one log line, no call to CloudWatch. */
function count(name: string, route: string): void {
  metrics ??= new Metrics();
  const metric = metrics.singleMetric();
  metric.addDimension('route', route);
  metric.addMetric(name, MetricUnit.Count, 1);
}

/**
 * Name, message and stack of an error and its causes. Other properties are left out, because the SDK attaches
 * whole items to some errors.
 */
function describe(error: unknown, depth = 0): Record<string, unknown> | undefined {
  if (error === undefined || error === null || depth > 3) return undefined;
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, cause } = error;
  const message = withoutInput(error);
  return {
    name,
    message,
    stack: [`${name}: ${message}`, ...frames(error)].join('\n'),
    cause: describe(cause, depth + 1),
  };
}

/**
 * The message of an error without what a caller may have sent. Parsers quote the text that they refuse: `Unexpected token
 * 's', "secret" is not valid JSON`. SES names the recipients of a mail that it rejects
 * (https://docs.aws.amazon.com/ses/latest/dg/troubleshoot-error-messages.html).
 */
function withoutInput(error: Error): string {
  if (error instanceof SyntaxError) return 'a text could not be parsed';
  return error.message.replaceAll(/[^\s<>"'(),;:[\]]+@[^\s<>"'(),;:[\]]+/g, '<address>');
}

/** The stack without the message, which can have several lines. */
function frames({ message, stack = '' }: Error): string[] {
  const at = message === '' ? -1 : stack.indexOf(message);
  const below = at === -1 ? stack : stack.slice(at + message.length);
  return below.split('\n').filter((line) => /^\s+at /.test(line));
}

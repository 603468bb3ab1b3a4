import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

/** Created at the first record, because the environment is not read at import. */
let logger: Logger | undefined;
let metrics: Metrics | undefined;
const alarmMetrics = new Map<AlarmService, Metrics>();

type AlarmService = 'mail' | 'webhooks' | 'payments';

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

/** Logs what raises an alarm, and counts it in one metric of all functions: an alarm is billed by its metrics. */
export function recordAlarm(
  service: AlarmService,
  metric: 'MailsGivenUp' | 'WebhooksDisabled' | 'EventsUnreadable',
  message: string,
  { cause, ...fields }: Readonly<Record<string, unknown>>,
): void {
  logger ??= new Logger();
  logger.error(message, { ...fields, cause: describe(cause) });
  const ofService = alarmMetrics.get(service) ?? new Metrics({ serviceName: service });
  alarmMetrics.set(service, ofService);
  ofService.singleMetric().addMetric(metric, MetricUnit.Count, 1);
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

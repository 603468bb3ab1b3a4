import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';

/** One per process, made at the first record: the environment is not read at import. */
let logger: Logger | undefined;
let metrics: Metrics | undefined;

/** What is recorded of a request. Nothing that a caller sent: a query, a body or a referrer can hold secrets. */
export interface RequestRecord {
  requestId: string;
  /** `GET /api/share`: the route, never the path as it was called. */
  route: string;
  status: number;
  durationMs: number;
  /** The code of the error table, when it was one. */
  code?: string;
  auditId?: string;
}

/** One record a request; a 5xx carries the cause and counts as `ServerErrors`, a 429 as `RateLimited`. */
export function recordRequest(record: RequestRecord, cause?: unknown): void {
  logger ??= new Logger();
  if (record.status >= 500) logger.error('request failed', { ...record, cause: describe(cause) });
  else logger.info('request', { ...record });
  if (record.status >= 500) count('ServerErrors', record.route);
  if (record.status === 429) count('RateLimited', record.route);
}

/** One record a run of a timer; with the cause when something of it failed. */
export function recordRun(record: { timer: string; durationMs: number }, cause?: unknown): void {
  logger ??= new Logger();
  if (cause === undefined) logger.info('run', { ...record });
  else logger.error('run failed in part', { ...record, cause: describe(cause) });
}

/** What went wrong without failing the request: it is made up for later. */
export function recordProblem(what: string, cause: unknown): void {
  logger ??= new Logger();
  logger.warn(what, { cause: describe(cause) });
}

/** Embedded metric format: one line of the log, no call to CloudWatch. */
function count(name: string, route: string): void {
  metrics ??= new Metrics();
  const single = metrics.singleMetric();
  single.addDimension('route', route);
  single.addMetric(name, MetricUnit.Count, 1);
}

/**
 * Name, message and stack of an error and its causes, and no other property: the SDK hangs whole items on
 * some of its errors.
 */
function describe(error: unknown, depth = 0): Record<string, unknown> | undefined {
  if (error === undefined || error === null || depth > 3) return undefined;
  if (!(error instanceof Error)) return { name: typeof error };
  const { name, message, stack, cause } = error;
  return { name, message, stack, cause: describe(cause, depth + 1) };
}

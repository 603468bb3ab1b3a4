/**
 * Default quotas of AWS in eu-west-1, as stored copies of these pages said when they were looked up on 2026-11-22. A copy
 * is older than that: check a quota before relying on it. Service Quotas shows those of an account.
 */
export const quotas = {
  /** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html */
  partitionWriteUnits: 1_000,
  partitionReadUnits: 3_000,
  /** Of an on-demand table, and of each global index. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html */
  tableWriteUnits: 40_000,
  tableReadUnits: 40_000,
  /** Of an account in a region. https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
  concurrentExecutions: 1_000,
  /** Of an account in a region. https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
  apiRequestsPerSecond: 10_000,
  /** Token buckets. https://docs.aws.amazon.com/step-functions/latest/dg/service-quotas.html; the copy is of 2021. */
  startExecution: { bucket: 1_300, perSecond: 300 },
  stateTransition: { bucket: 5_000, perSecond: 1_500 },
  /** Standard executions that run at the same time; from the same page, in a copy without a date. */
  openExecutions: 1_000_000,
  /**
   * Those that SES usually grants first; each account has its own. Not confirmed by a page of AWS:
   * https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas.html names no numbers.
   */
  mailsPerSecond: 14,
  mailsPerDay: 50_000,
} as const;

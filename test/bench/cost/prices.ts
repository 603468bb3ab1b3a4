/**
 * List prices in eu-west-1 in US dollars without free tiers, written down in November 2026. Only the price of Step Functions
 * was compared with a copy of its page: check the others before relying on them.
 */
export const prices = {
  /** One state transition of a Standard workflow. https://aws.amazon.com/step-functions/pricing/ */
  transition: 0.025 / 1_000,
  /** One write unit and one read unit, on demand. https://aws.amazon.com/dynamodb/pricing/on-demand/ */
  writeUnit: 0.705 / 1_000_000,
  readUnit: 0.141 / 1_000_000,
  /** One invocation, and one GB-second on Arm. https://aws.amazon.com/lambda/pricing/ */
  invocation: 0.2 / 1_000_000,
  gigabyteSecond: 0.000_013_333_4,
  /** https://aws.amazon.com/ses/pricing/ */
  mail: 0.1 / 1_000,
  /** One call of a REST API. https://aws.amazon.com/api-gateway/pricing/ */
  apiCall: 3.5 / 1_000_000,
} as const;

/** Prices that an idle stage pays each month, from the same sources. */
export const monthlyPrices = {
  /** One metric of a standard-resolution alarm. https://aws.amazon.com/cloudwatch/pricing/ */
  alarmMetric: 0.1,
  /** One custom metric, prorated by the hours in which it is published. */
  customMetric: 0.3,
  /** One dashboard. The free ones have up to 50 metrics, and a dashboard of every function has more. */
  dashboard: 3,
  /** One GB of logs ingested, and one GB stored. */
  logIngestedGigabyte: 0.57,
  logStoredGigabyte: 0.03,
  /** https://aws.amazon.com/secrets-manager/pricing/ */
  secret: 0.4,
} as const;

/** What an idle stage may cost a month, in US dollars. */
export const idleBudgets: Readonly<Record<string, number>> = { dev: 5, prod: 15 };

/** Billed seconds of one invocation: waiting and the function's own work. Assumed, not measured. */
export function billedSeconds({
  roundTrips,
  mails,
  starts,
}: {
  roundTrips: number;
  mails: number;
  starts: number;
}): number {
  return (roundTrips * 6 + starts * 15 + mails * 80 + 5) / 1_000;
}
/** Memory of each function. */
export const memoryGigabytes = 1;

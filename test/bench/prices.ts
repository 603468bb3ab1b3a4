/**
 * List prices in eu-west-1, US dollars, without free tiers, written down in November 2026. Only that of Step Functions was
 * compared with a copy of its page; the others are to be checked there before anybody relies on them.
 */
export const prices = {
  /** A state transition of a Standard workflow. https://aws.amazon.com/step-functions/pricing/ */
  transition: 0.025 / 1_000,
  /** On demand, a write and a read unit. https://aws.amazon.com/dynamodb/pricing/on-demand/ */
  writeUnit: 0.705 / 1_000_000,
  readUnit: 0.141 / 1_000_000,
  /** On Arm. https://aws.amazon.com/lambda/pricing/ */
  invocation: 0.2 / 1_000_000,
  gigabyteSecond: 0.000_013_333_4,
  /** https://aws.amazon.com/ses/pricing/ */
  mail: 0.1 / 1_000,
  /** A call of a REST API. https://aws.amazon.com/api-gateway/pricing/ */
  apiCall: 3.5 / 1_000_000,
} as const;

/** What a function is billed for an invocation, in seconds: what it waits for, and its own work. Assumed, not measured. */
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
/** Of each function. */
export const memoryGigabytes = 1;

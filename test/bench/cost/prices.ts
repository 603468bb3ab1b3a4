/** How far a price was confirmed. */
export type Confirmed = 'page' | 'others' | 'no';

const price = (what: string, dollars: number, page: string, confirmed: Confirmed) => ({
  what,
  dollars,
  page: `https://aws.amazon.com/${page}/`,
  confirmed,
});

/**
 * List prices in eu-west-1 in US dollars without free tiers, looked up on 2026-11-22. `page`: compared with a stored copy
 * of AWS's page. `others`: calculations by others of 2025 and later use it. `no`: not confirmed; check it on the
 * page before relying on it.
 */
export const priceList = {
  transition: price(
    'a state transition of a Standard workflow',
    0.025 / 1_000,
    'step-functions/pricing',
    'page',
  ),
  expressExecution: price(
    'an execution of an Express workflow',
    1 / 1_000_000,
    'step-functions/pricing',
    'others',
  ),
  // By 100 milliseconds and 64 MB.
  expressGigabyteSecond: price(
    'a GB-second of Express workflows',
    0.000_016_67,
    'step-functions/pricing',
    'no',
  ),
  // A copy for us-east-1 says 0.625 and 0.125 since November 2024; eu-west-1 was dearer by an eighth before.
  writeUnit: price('a write request unit, on demand', 0.705 / 1_000_000, 'dynamodb/pricing/on-demand', 'no'),
  readUnit: price('a read request unit, on demand', 0.141 / 1_000_000, 'dynamodb/pricing/on-demand', 'no'),
  storedGigabyte: price('a GB of the table, a month', 0.283, 'dynamodb/pricing/on-demand', 'no'),
  backupGigabyte: price('a GB of point-in-time recovery, a month', 0.226, 'dynamodb/pricing/on-demand', 'no'),
  invocation: price('an invocation', 0.2 / 1_000_000, 'lambda/pricing', 'others'),
  gigabyteSecond: price('a GB-second on Arm', 0.000_013_333_4, 'lambda/pricing', 'others'),
  mail: price('a mail', 0.1 / 1_000, 'ses/pricing', 'others'),
  mailGigabyte: price('a GB of attachments', 0.12, 'ses/pricing', 'no'),
  apiCall: price('a call of a REST API', 3.5 / 1_000_000, 'api-gateway/pricing', 'others'),
  transferredGigabyte: price('a GB to the internet', 0.09, 'ec2/pricing/on-demand', 'no'),
  logIngestedGigabyte: price('a GB of logs, ingested', 0.57, 'cloudwatch/pricing', 'no'),
  logStoredGigabyte: price('a GB of logs, a month', 0.03, 'cloudwatch/pricing', 'no'),
  alarmMetric: price('a metric of a standard alarm, a month', 0.1, 'cloudwatch/pricing', 'no'),
  // Prorated by the hours in which it is published.
  customMetric: price('a custom metric, a month', 0.3, 'cloudwatch/pricing', 'no'),
  // The free ones have up to 50 metrics, and a dashboard of every function has more.
  dashboard: price('a dashboard, a month', 3, 'cloudwatch/pricing', 'no'),
  webAcl: price('a web ACL of AWS WAF, a month', 5, 'waf/pricing', 'others'),
  // A managed rule group of AWS counts as one rule.
  webAclRule: price('a rule of a web ACL, a month', 1, 'waf/pricing', 'others'),
  inspectedRequest: price('a request inspected by AWS WAF', 0.6 / 1_000_000, 'waf/pricing', 'others'),
  secret: price('a secret, a month', 0.4, 'secrets-manager/pricing', 'no'),
};

type Prices = Readonly<Record<keyof typeof priceList, number>>;

/** The dollars of the price list. */
export const prices = Object.fromEntries(
  Object.entries(priceList).map(([name, { dollars }]) => [name, dollars]),
) as Prices;

/** The highest cost of an idle stage in a month, in US dollars. */
export const idleBudgets: Readonly<Record<string, number>> = { dev: 5, prod: 15.5 };

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

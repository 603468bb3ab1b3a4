/** How far a price was confirmed. */
export type Confirmed = 'page' | 'others' | 'no';

/**
 * List prices in eu-west-1 in US dollars without free tiers, looked up on 2026-11-22. `page`: compared with a stored copy
 * of AWS's page. `others`: calculations by others of 2025 and later use it. `no`: not confirmed; check it on the
 * page before relying on it.
 */
export const priceList = {
  transition: {
    what: 'a state transition of a Standard workflow',
    dollars: 0.025 / 1_000,
    page: 'https://aws.amazon.com/step-functions/pricing/',
    confirmed: 'page',
  },
  expressExecution: {
    what: 'an execution of an Express workflow',
    dollars: 1 / 1_000_000,
    page: 'https://aws.amazon.com/step-functions/pricing/',
    confirmed: 'others',
  },
  // By 100 milliseconds and 64 MB.
  expressGigabyteSecond: {
    what: 'a GB-second of Express workflows',
    dollars: 0.000_016_67,
    page: 'https://aws.amazon.com/step-functions/pricing/',
    confirmed: 'no',
  },
  // A copy for us-east-1 says 0.625 and 0.125 since November 2024; eu-west-1 was dearer by an eighth before.
  writeUnit: {
    what: 'a write request unit, on demand',
    dollars: 0.705 / 1_000_000,
    page: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
    confirmed: 'no',
  },
  readUnit: {
    what: 'a read request unit, on demand',
    dollars: 0.141 / 1_000_000,
    page: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
    confirmed: 'no',
  },
  storedGigabyte: {
    what: 'a GB of the table, a month',
    dollars: 0.283,
    page: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
    confirmed: 'no',
  },
  backupGigabyte: {
    what: 'a GB of point-in-time recovery, a month',
    dollars: 0.226,
    page: 'https://aws.amazon.com/dynamodb/pricing/on-demand/',
    confirmed: 'no',
  },
  invocation: {
    what: 'an invocation',
    dollars: 0.2 / 1_000_000,
    page: 'https://aws.amazon.com/lambda/pricing/',
    confirmed: 'others',
  },
  gigabyteSecond: {
    what: 'a GB-second on Arm',
    dollars: 0.000_013_333_4,
    page: 'https://aws.amazon.com/lambda/pricing/',
    confirmed: 'others',
  },
  mail: {
    what: 'a mail',
    dollars: 0.1 / 1_000,
    page: 'https://aws.amazon.com/ses/pricing/',
    confirmed: 'others',
  },
  mailGigabyte: {
    what: 'a GB of attachments',
    dollars: 0.12,
    page: 'https://aws.amazon.com/ses/pricing/',
    confirmed: 'no',
  },
  apiCall: {
    what: 'a call of a REST API',
    dollars: 3.5 / 1_000_000,
    page: 'https://aws.amazon.com/api-gateway/pricing/',
    confirmed: 'others',
  },
  transferredGigabyte: {
    what: 'a GB to the internet',
    dollars: 0.09,
    page: 'https://aws.amazon.com/ec2/pricing/on-demand/',
    confirmed: 'no',
  },
  logIngestedGigabyte: {
    what: 'a GB of logs, ingested',
    dollars: 0.57,
    page: 'https://aws.amazon.com/cloudwatch/pricing/',
    confirmed: 'no',
  },
  logStoredGigabyte: {
    what: 'a GB of logs, a month',
    dollars: 0.03,
    page: 'https://aws.amazon.com/cloudwatch/pricing/',
    confirmed: 'no',
  },
  alarmMetric: {
    what: 'a metric of a standard alarm, a month',
    dollars: 0.1,
    page: 'https://aws.amazon.com/cloudwatch/pricing/',
    confirmed: 'no',
  },
  // Prorated by the hours in which it is published.
  customMetric: {
    what: 'a custom metric, a month',
    dollars: 0.3,
    page: 'https://aws.amazon.com/cloudwatch/pricing/',
    confirmed: 'no',
  },
  // The free ones have up to 50 metrics, and a dashboard of every function has more.
  dashboard: {
    what: 'a dashboard, a month',
    dollars: 3,
    page: 'https://aws.amazon.com/cloudwatch/pricing/',
    confirmed: 'no',
  },
  webAcl: {
    what: 'a web ACL of AWS WAF, a month',
    dollars: 5,
    page: 'https://aws.amazon.com/waf/pricing/',
    confirmed: 'others',
  },
  // A managed rule group of AWS counts as one rule.
  webAclRule: {
    what: 'a rule of a web ACL, a month',
    dollars: 1,
    page: 'https://aws.amazon.com/waf/pricing/',
    confirmed: 'others',
  },
  inspectedRequest: {
    what: 'a request inspected by AWS WAF',
    dollars: 0.6 / 1_000_000,
    page: 'https://aws.amazon.com/waf/pricing/',
    confirmed: 'others',
  },
  secret: {
    what: 'a secret, a month',
    dollars: 0.4,
    page: 'https://aws.amazon.com/secrets-manager/pricing/',
    confirmed: 'no',
  },
} as const satisfies Record<string, { what: string; dollars: number; page: string; confirmed: Confirmed }>;

type Prices = Readonly<Record<keyof typeof priceList, number>>;

/** The dollars of the price list. */
export const prices = Object.fromEntries(
  Object.entries(priceList).map(([name, { dollars }]) => [name, dollars]),
) as Prices;

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

/**
 * Environment variables, read at use and never at import: a missing variable fails the request with a clear
 * message, and tests can set their own values.
 */
function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`The environment variable ${name} is not set`);
  return value;
}

/**
 * The value of a variable with a fixed set of values, by default the first. A misspelt value must not mean the default,
 * which is the less strict one.
 */
function oneOf<T extends string>(name: string, values: readonly [T, ...T[]]): T {
  const text = process.env[name] || values[0];
  const value = values.find((one) => one === text);
  if (value === undefined) throw new Error(`The environment variable ${name} must be ${values.join(' or ')}`);
  return value;
}

/** Each request is an attribute in one expression, which may have up to 4 KB. */
const maxApplicationRequests = 100;

/** A whole number from 1 to `max`. */
function wholeNumber(name: string, standard: number, max: number): number {
  const value = Number(process.env[name] ?? standard);
  if (!Number.isInteger(value) || value < 1 || value > max)
    throw new Error(`The environment variable ${name} must be a whole number from 1 to ${max}`);
  return value;
}

export const env = {
  /** The name of the table. */
  tableName: () => required('TABLE_NAME'),
  /** Origins whose pages may call the API, a JSON array. `["*"]` allows all, and unset allows none. */
  allowedOrigins: (): string[] => JSON.parse(process.env.ALLOWED_ORIGINS ?? '[]'),
  /** Directory of the files in `grants.files`. */
  filesDir: () => required('FILES_DIR'),
  /** Requests per second that one application may make. */
  applicationRequestsPerSecond: () =>
    wholeNumber('APPLICATION_REQUESTS_PER_SECOND', 50, maxApplicationRequests),
  /** Public URL of the API, without a trailing slash. When unset it is derived from each request. */
  publicUrl: () => process.env.PUBLIC_URL,
  /** Directory of the geolocation data. When unset, every location is unknown. */
  geoDir: () => process.env.GEO_DIR,
  /** Name or ARN of the secret in Secrets Manager that the deployment's keys are derived from. */
  deploymentKeySecret: () => required('DEPLOYMENT_KEY_SECRET'),
  /** HTTPS endpoint of the device-profiling service. None when unset. */
  deviceProfilingUrl: () => process.env.DEVICE_PROFILING_URL,
  /** Whether listing and revoking devices require a trusted device and the proof. */
  deviceManagementProof: () => oneOf('DEVICE_MANAGEMENT_PROOF', ['false', 'true']) === 'true',
  /** Who can verify a first device: anyone for a user without an address, or only users whom an operator entered. */
  enrolment: () => oneOf('ENROLMENT', ['open', 'known']),
  /** Whether vault calls may or have to prove the possession of the device's key or token. */
  deviceProof: () => oneOf('DEVICE_PROOF', ['offered', 'required']),
  /** Whom to tell of a vulnerability, as a URI. Nobody when unset. */
  securityContact: () => process.env.SECURITY_CONTACT,
  /** `From` of every mail: an address, or `Name <address>`. */
  mailSender: () => required('MAIL_SENDER'),
  /** The configuration set of SES that every mail names: SES sends nothing to addresses that bounced or complained. */
  mailConfigurationSet: () => process.env.MAIL_CONFIGURATION_SET,
  /** Mails per second that a timer may hand to SES. */
  mailsPerSecond: () => Number(process.env.MAILS_PER_SECOND ?? 14),
  /** Mails about subscriptions that one application may cause in a day (UTC), to one mailbox and in all. */
  mailQuota: () => ({
    perRecipient: Number(process.env.MAILS_PER_RECIPIENT_AND_DAY ?? 20),
    perApplication: Number(process.env.MAILS_PER_APPLICATION_AND_DAY ?? 50_000),
  }),
  /** ARN of the state machine that waits for the steps of subscriptions. */
  timerStateMachine: () => required('TIMER_STATE_MACHINE_ARN'),
  /** ARN of the express state machine that makes the first attempts of deliveries. */
  webhookDeliveryMachine: () => required('WEBHOOK_DELIVERY_MACHINE_ARN'),
  /** ARN of the state machine that waits for the later attempts of deliveries. */
  webhookRetryMachine: () => required('WEBHOOK_RETRY_MACHINE_ARN'),
  /** ARN of the state machine that imports bank statements. */
  bankImportMachine: () => required('BANK_IMPORT_MACHINE_ARN'),
  /** Steps due within this number of hours wait in the state machine. The sweep starts later ones in time. */
  timerHorizonHours: () => Number(process.env.TIMER_HORIZON_HOURS ?? 48),
  /** Whether applications may have the sandbox as their payment gateway. */
  sandboxGateway: () => process.env.SANDBOX_GATEWAY === 'true',
  /** Name prefix of the secrets that hold applications' Stripe keys. The application's id follows. */
  stripeSecretPrefix: () => required('STRIPE_SECRET_PREFIX'),
  /** Whether webhooks may have http addresses of this machine. Only the local stack sets it. */
  webhookLoopback: () => process.env.WEBHOOK_LOOPBACK === 'true',
  /** URL of the page where people see and remove their devices, to which mails link. Without it, the account page. */
  devicesPage: () => process.env.DEVICES_PAGE,
};

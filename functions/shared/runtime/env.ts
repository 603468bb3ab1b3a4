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

function wholeNumber(name: string, standard: number, max: number): number {
  const value = Number(process.env[name] ?? standard);
  if (!Number.isInteger(value) || value < 1 || value > max)
    throw new Error(`The environment variable ${name} must be a whole number from 1 to ${max}`);
  return value;
}

export const tableName = () => required('TABLE_NAME');
/** Origins whose pages may call the API, a JSON array. `["*"]` allows all, and unset allows none. */
export const allowedOrigins = (): string[] => JSON.parse(process.env.ALLOWED_ORIGINS ?? '[]');
/** Directory of the files in `grants.files`. */
export const filesDir = () => required('FILES_DIR');
export const applicationRequestsPerSecond = () =>
  wholeNumber('APPLICATION_REQUESTS_PER_SECOND', 50, maxApplicationRequests);
/** Public URL of the API, without a trailing slash. When unset it is derived from each request. */
export const publicUrl = () => process.env.PUBLIC_URL;
/** Directory of the geolocation data. When unset, every location is unknown. */
export const geoDir = () => process.env.GEO_DIR;
export const deploymentKeySecret = () => required('DEPLOYMENT_KEY_SECRET');
/** HTTPS endpoint of the device-profiling service. None when unset. */
export const deviceProfilingUrl = () => process.env.DEVICE_PROFILING_URL;
/** Whether listing and revoking devices require a trusted device and the proof. */
export const deviceManagementProof = () => oneOf('DEVICE_MANAGEMENT_PROOF', ['false', 'true']) === 'true';
/** Who can verify a first device: anyone for a user without an address, or only users whom an operator entered. */
export const enrolment = () => oneOf('ENROLMENT', ['open', 'known']);
/** Whether vault calls may or have to prove the possession of the device's key or token. */
export const deviceProof = () => oneOf('DEVICE_PROOF', ['offered', 'required']);
/** Whom to tell of a vulnerability, as a URI. Nobody when unset. */
export const securityContact = () => process.env.SECURITY_CONTACT;
/** `From` of every mail: an address, or `Name <address>`. */
export const mailSender = () => required('MAIL_SENDER');
/** The configuration set of SES that every mail names: SES sends nothing to addresses that bounced or complained. */
export const mailConfigurationSet = () => process.env.MAIL_CONFIGURATION_SET;
export const mailsPerSecond = () => Number(process.env.MAILS_PER_SECOND ?? 14);
/** Mails about subscriptions that one application may cause in a day (UTC), to one mailbox and in all. */
export const mailQuota = () => ({
  perRecipient: Number(process.env.MAILS_PER_RECIPIENT_AND_DAY ?? 20),
  perApplication: Number(process.env.MAILS_PER_APPLICATION_AND_DAY ?? 50_000),
});
/** ARN of the state machine that waits for the steps of subscriptions. */
export const timerStateMachine = () => required('TIMER_STATE_MACHINE_ARN');
/** ARN of the express state machine that makes the first attempts of deliveries. */
export const webhookDeliveryMachine = () => required('WEBHOOK_DELIVERY_MACHINE_ARN');
export const webhookRetryMachine = () => required('WEBHOOK_RETRY_MACHINE_ARN');
export const bankImportMachine = () => required('BANK_IMPORT_MACHINE_ARN');
/** Steps due within this number of hours wait in the state machine. The sweep starts later ones in time. */
export const timerHorizonHours = () => Number(process.env.TIMER_HORIZON_HOURS ?? 48);
/** Whether applications may have the sandbox as their payment gateway. */
export const sandboxGateway = () => process.env.SANDBOX_GATEWAY === 'true';
/** Name prefix of the secrets that hold applications' Stripe keys. The application's id follows. */
export const stripeSecretPrefix = () => required('STRIPE_SECRET_PREFIX');
/** Whether webhooks may have http addresses of this machine. Only the local stack sets it. */
export const webhookLoopback = () => process.env.WEBHOOK_LOOPBACK === 'true';
export const devicesPage = () => process.env.DEVICES_PAGE;

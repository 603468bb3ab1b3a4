/**
 * The environment, read when asked for and never at import, so that a missing variable is an error of the
 * request with a clear text, and tests can set their own.
 */
function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`The environment variable ${name} is not set`);
  return value;
}

export const env = {
  /** The one table. */
  tableName: () => required('TABLE_NAME'),
  /** Origins that may call from a browser, a JSON array; `["*"]` allows all. None when unset. */
  allowedOrigins: (): string[] => JSON.parse(process.env.ALLOWED_ORIGINS ?? '[]'),
  /** Where the files of `grants.files` lie. */
  filesDir: () => required('FILES_DIR'),
  /** Requests a second that one application may make. */
  applicationRequestsPerSecond: () => Number(process.env.APPLICATION_REQUESTS_PER_SECOND ?? 50),
  /** Where callers reach the API, without a slash at the end; unset, requests say it. */
  publicUrl: () => process.env.PUBLIC_URL,
  /** Where the geo data lies; every place is unknown when unset. */
  geoDir: () => process.env.GEO_DIR,
  /** Name or ARN of the secret in Secrets Manager that the deployment's keys are derived from. */
  deploymentKeySecret: () => required('DEPLOYMENT_KEY_SECRET'),
  /** HTTPS endpoint that tells devices apart; none when unset. */
  deviceProfilingUrl: () => process.env.DEVICE_PROFILING_URL,
  /** Whether the device list and revocation ask for a trusted device and the proof. */
  deviceManagementProof: () => process.env.DEVICE_MANAGEMENT_PROOF === 'true',
  /** `From` of every mail: an address, or `Name <address>`. */
  mailSender: () => required('MAIL_SENDER'),
  /** The state machine that waits for the steps of subscriptions. */
  timerStateMachine: () => required('TIMER_STATE_MACHINE_ARN'),
  /** Steps due within so many hours wait in the state machine; the sweep starts the others in time. */
  timerHorizonHours: () => Number(process.env.TIMER_HORIZON_HOURS ?? 48),
  /** What the names of the secrets with applications' Stripe keys begin with; the application's id follows. */
  stripeSecretPrefix: () => required('STRIPE_SECRET_PREFIX'),
  /** The page where people see and remove their devices; mails link to it when set. */
  devicesPage: () => process.env.DEVICES_PAGE,
};

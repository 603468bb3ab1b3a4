import { randomBytes } from 'node:crypto';
import { isApplicationRate } from '../deployment/stages.ts';

type Variables = Record<string, string | undefined>;

export const deploymentKeyName = 'vouchsafe-local';
export const mailConfigurationSet = 'vouchsafe-local';
export const mailDomain = 'vouchsafe.example';
export const stripeSecretPrefix = 'vouchsafe/local/stripe/';
const machineArn = (name: string) =>
  `arn:aws:states:eu-west-1:000000000000:stateMachine:vouchsafe-local-${name}`;

/** The state machines, by the variables that name them to the functions. */
export const machineArns = {
  TIMER_STATE_MACHINE_ARN: machineArn('timers'),
  WEBHOOK_DELIVERY_MACHINE_ARN: machineArn('webhook-delivery'),
  WEBHOOK_RETRY_MACHINE_ARN: machineArn('webhook-retries'),
  BANK_IMPORT_MACHINE_ARN: machineArn('bank-import'),
};

/** The credentials of one start: the local endpoints let nobody in without the access key. */
const ownCredentials = (): Variables => ({
  AWS_ACCESS_KEY_ID: randomBytes(16).toString('hex'),
  AWS_SECRET_ACCESS_KEY: randomBytes(16).toString('hex'),
  AWS_SESSION_TOKEN: undefined,
  // With a profile, the SDK would look for real credentials, and fail or ask to sign in.
  AWS_PROFILE: undefined,
});

/** Callers may set them otherwise. What else they set for the handlers stays as it is. */
const defaults: Variables = {
  TABLE_NAME: 'vouchsafe',
  AWS_REGION: 'eu-west-1',
  ALLOWED_ORIGINS: '["*"]',
  POWERTOOLS_LOG_LEVEL: 'WARN',
  MAIL_SENDER: `Vouchsafe <no-reply@${mailDomain}>`,
  SANDBOX_GATEWAY: 'true',
  // A hundred years: every timer waits in the state machine from the start, where a moved clock finds it.
  TIMER_HORIZON_HOURS: '876000',
};

/** A rate that the handlers would refuse with each request is refused when the stack starts. */
function checkRate(text: string | undefined): void {
  if (!isApplicationRate(Number(text || 1)))
    throw new Error(
      'The environment variable APPLICATION_REQUESTS_PER_SECOND must be a whole number from 1 to 100',
    );
}

/**
 * The environment of the handlers. Settings of the caller take precedence. The caller's credentials are used only if the
 * caller names an endpoint of AWS.
 */
export function handlerEnvironment(
  env: Variables,
  endpoints: Record<'dynamodb' | 'ses' | 'sfn' | 'secretsManager', string>,
  filesDir: string,
): Variables {
  checkRate(env.APPLICATION_REQUESTS_PER_SECOND);
  const usesAws = ['DYNAMODB', 'SES', 'SFN'].some((service) => env[`AWS_ENDPOINT_URL_${service}`]);
  const keepsCredentials = usesAws && (env.AWS_ACCESS_KEY_ID ?? env.AWS_PROFILE) !== undefined;
  const credentials = keepsCredentials ? {} : ownCredentials();
  return {
    ...defaults,
    ...given(env, Object.keys(defaults)),
    POWERTOOLS_METRICS_DISABLED: 'true',
    POWERTOOLS_DEV: 'true',
    // Receivers of webhooks on this machine. No template sets it.
    WEBHOOK_LOOPBACK: 'true',
    ...machineArns,
    // Another endpoint has other state machines.
    ...given(env, env.AWS_ENDPOINT_URL_SFN ? Object.keys(machineArns) : []),
    // Another endpoint has other configuration sets.
    MAIL_CONFIGURATION_SET: env.AWS_ENDPOINT_URL_SES ? env.MAIL_CONFIGURATION_SET : mailConfigurationSet,
    STRIPE_SECRET_PREFIX: stripeSecretPrefix,
    DEPLOYMENT_KEY_SECRET: deploymentKeyName,
    ...credentials,
    AWS_ENDPOINT_URL_DYNAMODB: endpoints.dynamodb,
    AWS_ENDPOINT_URL_SES: endpoints.ses,
    AWS_ENDPOINT_URL_SFN: endpoints.sfn,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoints.secretsManager,
    FILES_DIR: filesDir,
  };
}

const given = (env: Variables, names: readonly string[]): Variables =>
  Object.fromEntries(names.filter((name) => env[name]).map((name) => [name, env[name]]));

/**
 * The Stripe keys of every local application, from the caller's environment; undefined unless both keys are set. Use keys
 * of Stripe's test mode.
 */
export function stripeSecret(env: Variables): string | undefined {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_API_URL: apiUrl } = env;
  return secretKey && webhookSecret ? JSON.stringify({ secretKey, webhookSecret, apiUrl }) : undefined;
}

/** Sets variables of this process; undefined removes one. Returns a function that restores the former values. */
export function applyEnvironment(variables: Variables): () => void {
  const before = Object.fromEntries(Object.keys(variables).map((name) => [name, process.env[name]]));
  set(variables);
  return () => set(before);
}

function set(variables: Variables): void {
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

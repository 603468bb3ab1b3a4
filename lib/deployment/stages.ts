import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { nearest } from '../../functions/shared/lambda/nearest.ts';

/** The settings that belong to one deployer, which the repository ignores: a file in the folder of `cdk.json`. */
export const stageFileName = 'stages.json';

const StageFile = z.record(z.string(), z.record(z.string(), z.unknown()));
/** By the names of stages. `null` removes a setting that the source has. */
export type StageFile = Readonly<z.infer<typeof StageFile>>;

/**
 * The settings of a file, which replace those of the source; none where there is no `stages.json`.
 *
 * @param given the path of another file.
 * @throws Error when a given file is missing, or a file is no object of objects in JSON.
 */
export function readStageFile(given: string | undefined): StageFile {
  if (given === undefined && !existsSync(stageFileName)) return {};
  const path = given ?? stageFileName;
  try {
    return StageFile.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : error;
    throw new Error(`The settings of stages cannot be read from ${path}: ${reason}`);
  }
}

const wholeNumber = (from: number, to: number) => {
  const error = `must be a whole number from ${from} to ${to}`;
  return z.int(error).min(from, error).max(to, error);
};
const httpsAddress = z.url({ protocol: /^https$/, error: 'must be an https address' }).exactOptional();
const sender = z
  .string()
  .refine(
    (text) => addressOf(text) !== undefined,
    'is no sender; one looks like Name <no-reply@example.com>',
  );
const origins = z
  .array(
    z
      .string()
      .refine(
        (text) => text === '*' || isOrigin(text),
        'is no origin; one looks like https://app.example.com',
      ),
  )
  .refine((all) => !all.includes('*') || all.length === 1, "'*' allows every origin: name no others");
/** Those that CloudWatch knows. */
const retentionDays = z.literal([
  1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653,
]);

export const StageSettings = z.strictObject({
  /** Part of the names of stacks and functions. A hyphen would let the prefix of one stage's names match those of another. */
  name: z
    .string()
    .regex(/^[a-z][a-z0-9]{0,11}$/, 'is not a stage name; one has up to 12 lower-case letters and digits'),
  /** Whether a deployment refuses the stage while it lacks one of the settings in `lib/deployment/missing-settings.ts`. */
  production: z.boolean(),
  /** The account and the region to deploy to. The CDK refuses credentials of another account. By default those of the credentials. */
  account: z
    .string()
    .regex(/^\d{12}$/, 'must have 12 digits')
    .exactOptional(),
  region: z
    .string()
    .regex(/^[a-z]{2,}(-[a-z]+)+-\d$/, 'is no region; one looks like eu-west-1')
    .exactOptional(),
  /** Origins (`https://app.example.com`) whose pages may call the API from a browser; `['*']` allows all. */
  allowedOrigins: origins,
  /** The API's own host name. The certificate must cover it and be in the region of the deployment. */
  domain: z
    .strictObject({
      name: z.hostname().lowercase('must be in lower case'),
      certificateArn: z
        .string()
        .regex(/^arn:[\w-]+:acm:[\w-]+:\d{12}:certificate\/\S+$/, 'is no ARN of a certificate'),
    })
    .exactOptional(),
  logRetentionDays: retentionDays,
  /** Whether the log of a function is kept when the function is deleted. */
  keepLogs: z.boolean(),
  alarmEmail: z.email('is no address of mail').exactOptional(),
  /** `From` of every mail, `Name <address>`. SES must have verified the address or its domain. */
  mailSender: sender,
  /** Mails per second that a timer may hand to SES: at most the sending rate of the account. */
  mailsPerSecond: wholeNumber(1, 50),
  /** Mails about subscriptions that one application may send to one mailbox in a day. The rest waits. */
  mailsPerRecipientAndDay: wholeNumber(1, 1_000),
  /** Mails about subscriptions that one application may send in a day. The rest waits. */
  mailsPerApplicationAndDay: wholeNumber(1, 10_000_000),
  /** The page where users see and remove their devices; mails link to it. By default the account page, `/account`. */
  devicesPage: httpsAddress,
  /** Whom to tell of a vulnerability. Without it there is no `/.well-known/security.txt`. */
  securityContact: z
    .string()
    .regex(/^(mailto|https|tel):\S+$/, 'must begin with mailto:, https: or tel:')
    .exactOptional(),
  /** Endpoint that identifies devices without a UUID of their own; by default a hash of their signals does. */
  deviceProfilingUrl: httpsAddress,
  /**
   * Who can verify a first device: `open`, anyone for a user id that has no address yet; `known`, only the users whom an
   * operator entered, with the address that the operator entered. A stage in production has to choose.
   */
  enrolment: z.enum(['open', 'known']).exactOptional(),
  /**
   * Whether vault calls may (`offered`) or must (`required`) prove the possession of the device's key or token. A stage in
   * production has to choose.
   */
  deviceProof: z.enum(['offered', 'required']).exactOptional(),
  /**
   * Whether listing and removing devices require a trusted device and the proof of the master password. A stage in production
   * has to choose.
   */
  deviceManagementProof: z.boolean().exactOptional(),
  /**
   * Whether applications may have the sandbox as their payment gateway, on which anyone who has a link reports a payment.
   * For trying the service out only.
   */
  sandboxGateway: z.boolean(),
  applicationRequestsPerSecond: wholeNumber(1, 100),
  /**
   * Steps of subscriptions that are due within this number of hours wait in the state machine; the sweep starts the
   * others in time. The sweep runs every six hours, and waiting executions count against the account's quota.
   */
  timerHorizonHours: wholeNumber(12, 720),
  /** Requests per second of all callers together, and the burst of concurrent requests. */
  throttling: z.strictObject({ ratePerSecond: wholeNumber(0, 1_000_000), burst: wholeNumber(0, 1_000_000) }),
  /**
   * Concurrent executions that are kept for a function, and the most that it gets, by its id: of those that run for seconds at
   * the wish of one application. None by default: AWS keeps 100 executions of an account unreserved, so that an account with
   * fewer, as a new one has, cannot reserve any, and its deployment would fail.
   */
  reservedConcurrency: z
    .strictObject({
      'webhooks.attempt': wholeNumber(1, 1_000_000).exactOptional(),
      'statements.create': wholeNumber(1, 1_000_000).exactOptional(),
    })
    .exactOptional(),
  /**
   * Whether AWS WAF inspects requests before API Gateway: a rate for each client address, and the common rules of AWS. It
   * costs 10 dollars a month, and 0.60 for each million requests.
   */
  webApplicationFirewall: z.boolean(),
  /**
   * How requests move to the new version of a function: a tenth for five minutes and then all, or a tenth more every
   * minute. When an alarm is raised meanwhile, they move back and the deployment fails. Without it they move at once.
   */
  gradualDeployment: z.enum(['canary', 'linear']).exactOptional(),
  /** Whether the stacks are protected against deletion. The table always is. */
  terminationProtection: z.boolean(),
});
export type StageSettings = Readonly<z.infer<typeof StageSettings>>;

/** An address of a domain that cannot exist: mails fail until a real one is set. */
export const placeholderSender = 'Vouchsafe <no-reply@vouchsafe.example>';

const stages: Readonly<Record<string, StageSettings>> = {
  dev: {
    name: 'dev',
    production: false,
    allowedOrigins: ['*'],
    logRetentionDays: 7,
    keepLogs: false,
    mailSender: placeholderSender,
    // The rate of an account in the SES sandbox.
    mailsPerSecond: 1,
    mailsPerRecipientAndDay: 20,
    // The daily quota of an account in the SES sandbox.
    mailsPerApplicationAndDay: 200,
    enrolment: 'open',
    deviceProof: 'offered',
    deviceManagementProof: false,
    sandboxGateway: true,
    applicationRequestsPerSecond: 50,
    timerHorizonHours: 48,
    throttling: { ratePerSecond: 100, burst: 200 },
    webApplicationFirewall: false,
    terminationProtection: false,
  },
  prod: {
    name: 'prod',
    production: true,
    // None until the pages have an address: refusing browsers is safer than allowing every origin.
    allowedOrigins: [],
    logRetentionDays: 90,
    keepLogs: true,
    mailSender: placeholderSender,
    // The rate of an account that SES has granted production access.
    mailsPerSecond: 14,
    mailsPerRecipientAndDay: 20,
    // The daily quota of an account that SES has granted production access.
    mailsPerApplicationAndDay: 50_000,
    sandboxGateway: false,
    applicationRequestsPerSecond: 50,
    timerHorizonHours: 48,
    throttling: { ratePerSecond: 2_000, burst: 4_000 },
    webApplicationFirewall: true,
    gradualDeployment: 'canary',
    terminationProtection: true,
  },
};

/**
 * The settings of a stage.
 *
 * @param own what a file of the deployer sets in place of the values here ({@link readStageFile}), by the names of stages.
 * @throws Error when the stage does not exist, naming those that do, or with every setting that cannot be deployed.
 */
export function stageSettings(name: string, own: StageFile = {}): StageSettings {
  const unknown = [name, ...Object.keys(own)].find((stage) => !Object.hasOwn(stages, stage));
  const settings = stages[name];
  if (settings === undefined || unknown !== undefined)
    throw new Error(`There is no stage '${unknown}'; the stages are ${Object.keys(stages).join(', ')}`);
  const { [name]: changes = {} } = own;
  const merged = Object.entries({ ...settings, ...changes });
  return checkSettings(Object.fromEntries(merged.filter(([, value]) => value !== null)));
}

/** The URL of the API, where it has a domain. Links in mails begin with it: a function that no request invokes cannot derive it. */
export function publicUrlOf({ domain }: StageSettings): string | undefined {
  return domain && `https://${domain.name}`;
}

/** The stage's `enrolment`; without a choice the stricter value. */
export const enrolmentOf = ({ enrolment = 'known' }: StageSettings): 'open' | 'known' => enrolment;

/** The stage's `deviceProof`; without a choice the stricter value. */
export function deviceProofOf({ deviceProof = 'required' }: StageSettings): 'offered' | 'required' {
  return deviceProof;
}

/** The stage's `deviceManagementProof`; without a choice the stricter value. */
export function deviceManagementProofOf({ deviceManagementProof = true }: StageSettings): boolean {
  return deviceManagementProof;
}

/**
 * Whether the functions can limit an application to so many requests a second: each is an attribute in one expression, which
 * may have up to 4 KB.
 */
export const isApplicationRate = (perSecond: number): boolean =>
  StageSettings.shape.applicationRequestsPerSecond.safeParse(perSecond).success;

/** @throws Error with every setting that cannot be deployed. */
export function checkSettings(settings: object): StageSettings {
  const { success, data, error } = StageSettings.safeParse(settings);
  if (success) return data;
  const lines = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => `${[...issue.path, key].join('.')}: ${unknownSetting(key)}`)
      : [`${issue.path.join('.')}: ${issue.message}`],
  );
  throw new Error(['The settings of a stage cannot be deployed (docs/settings.md):', ...lines].join('\n  '));
}

function unknownSetting(key: string): string {
  const known = nearest(key, Object.keys(StageSettings.shape));
  return known === undefined ? 'is no setting' : `is no setting; the nearest is ${known}`;
}

/** The address in `Name <address>`. @throws Error when the text contains no address. */
export function senderAddress(mailSender: string): string {
  const address = addressOf(mailSender);
  if (address === undefined) throw new Error(`'${mailSender}' is no sender`);
  return address;
}

function addressOf(mailSender: string): string | undefined {
  const [, bracketed = mailSender] = /<([^<>]*)>$/.exec(mailSender) ?? [];
  return /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(bracketed) ? bracketed : undefined;
}

export function deadLetterQueueName({ name }: Pick<StageSettings, 'name'>): string {
  return `vouchsafe-${name}-dead-letters`;
}

export const configurationSetName = ({ name }: Pick<StageSettings, 'name'>): string => `vouchsafe-${name}`;

/**
 * Whether an origin is written as browsers send it: scheme, host and port, without a trailing slash. Origins become part of a
 * mapping template of API Gateway, where any other character could change its meaning.
 */
function isOrigin(text: string): boolean {
  return /^https?:\/\/[a-z0-9.:[\]-]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** The functions that run for seconds at the wish of one application. */
type BusyFunction = 'webhooks.attempt' | 'statements.create';

/** Everything that differs between deployments. */
export interface StageSettings {
  /** Part of the names of stacks and functions: up to 12 lower-case letters and digits, a letter first. */
  readonly name: string;
  /** Whether a deployment refuses the stage while it lacks one of the settings in `lib/deployment/missing-settings.ts`. */
  readonly production: boolean;
  /** Origins (`https://app.example.com`) whose pages may call the API from a browser; `['*']` allows all. */
  readonly allowedOrigins: readonly string[];
  /** The API's own host name. The certificate must cover it and be in the region of the deployment. */
  readonly domain?: { readonly name: string; readonly certificateArn: string };
  /** Retention of the logs of functions and of the API. */
  readonly logRetentionDays: number;
  /** Whether the log of a function is kept when the function is deleted. */
  readonly keepLogs: boolean;
  /** The address that receives every alarm. */
  readonly alarmEmail?: string;
  /** `From` of every mail, `Name <address>`. SES must have verified the address or its domain. */
  readonly mailSender: string;
  /** Mails per second that a timer may hand to SES, 1 to 50: at most the sending rate of the account. */
  readonly mailsPerSecond: number;
  /** Mails about subscriptions that one application may send to one mailbox in a day, 1 to 1,000. The rest waits. */
  readonly mailsPerRecipientAndDay: number;
  /** Mails about subscriptions that one application may send in a day, 1 to 10,000,000. The rest waits. */
  readonly mailsPerApplicationAndDay: number;
  /** The page where users see and remove their devices; mails link to it. By default the account page, `/account`. */
  readonly devicesPage?: string;
  /** Whom to tell of a vulnerability: `mailto:`, `https:` or `tel:`. Without it there is no `/.well-known/security.txt`. */
  readonly securityContact?: string;
  /** HTTPS endpoint that identifies devices without a UUID of their own; by default a hash of their signals does. */
  readonly deviceProfilingUrl?: string;
  /**
   * Who can verify a first device: `open`, anyone for a user id that has no address yet; `known`, only the users whom an
   * operator entered, with the address that the operator entered. A stage in production has to choose.
   */
  readonly enrolment?: 'open' | 'known';
  /**
   * Whether vault calls may (`offered`) or must (`required`) prove the possession of the device's key or token. A stage in
   * production has to choose.
   */
  readonly deviceProof?: 'offered' | 'required';
  /**
   * Whether listing and removing devices require a trusted device and the proof of the master password. A stage in production
   * has to choose.
   */
  readonly deviceManagementProof?: boolean;
  /**
   * Whether applications may have the sandbox as their payment gateway, on which anyone who has a link reports a payment.
   * For trying the service out only.
   */
  readonly sandboxGateway: boolean;
  /** Requests per second that one application may make, up to 100. */
  readonly applicationRequestsPerSecond: number;
  /**
   * Steps of subscriptions that are due within this number of hours wait in the state machine; the sweep starts the
   * others in time. 12 to 720: the sweep runs every six hours, and waiting executions count against the account's quota.
   */
  readonly timerHorizonHours: number;
  /** Requests per second of all callers together, and the burst of concurrent requests. */
  readonly throttling: { readonly ratePerSecond: number; readonly burst: number };
  /**
   * Concurrent executions that are kept for a function, and the most that it gets, by its id: of those that an application
   * can keep busy. None by default: AWS keeps 100 executions of an account unreserved, so that an account with fewer, as a new
   * one has, cannot reserve any, and its deployment would fail.
   */
  readonly reservedConcurrency?: Readonly<Partial<Record<BusyFunction, number>>>;
  /**
   * Whether AWS WAF inspects requests before API Gateway: a rate for each client address, and the common rules of AWS. It
   * costs 10 dollars a month, and 0.60 for each million requests.
   */
  readonly webApplicationFirewall: boolean;
  /**
   * How requests move to the new version of a function: a tenth for five minutes and then all, or a tenth more every
   * minute. When an alarm is raised meanwhile, they move back and the deployment fails. Without it they move at once.
   */
  readonly gradualDeployment?: 'canary' | 'linear';
  /** Whether the stacks are protected against deletion. The table always is. */
  readonly terminationProtection: boolean;
}

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
 * @throws when the stage does not exist, naming those that do, or when its settings cannot be deployed.
 */
export function stageSettings(name: string): StageSettings {
  const settings = Object.hasOwn(stages, name) ? stages[name] : undefined;
  if (settings === undefined) {
    throw new Error(`There is no stage '${name}'; the stages are ${Object.keys(stages).join(', ')}`);
  }
  checkSettings(settings);
  return settings;
}

/** The URL of the API, where it has a domain. Links in mails begin with it: a function that no request invokes cannot derive it. */
export function publicUrlOf({ domain }: StageSettings): string | undefined {
  return domain && `https://${domain.name}`;
}

/** The stage's `enrolment`; without a choice the stricter value. */
export function enrolmentOf({ enrolment = 'known' }: StageSettings): 'open' | 'known' {
  return enrolment;
}

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
  Number.isInteger(perSecond) && perSecond >= 1 && perSecond <= 100;

/** @throws naming the first setting that cannot be deployed. */
export function checkSettings(settings: StageSettings): void {
  // A hyphen would let the prefix of one stage's names match those of another.
  if (!/^[a-z][a-z0-9]{0,11}$/.test(settings.name)) {
    throw new Error(`'${settings.name}' is not a stage name; one has up to 12 lower-case letters and digits`);
  }
  checkOrigins(settings.allowedOrigins);
  senderAddress(settings.mailSender);
  const perSecond = settings.applicationRequestsPerSecond;
  if (!isApplicationRate(perSecond)) {
    throw new Error(`applicationRequestsPerSecond is ${perSecond}; it must be a whole number from 1 to 100`);
  }
  const mails = settings.mailsPerSecond;
  if (!(Number.isInteger(mails) && mails >= 1 && mails <= 50)) {
    throw new Error(`mailsPerSecond is ${mails}; it must be a whole number from 1 to 50`);
  }
  checkQuota('mailsPerRecipientAndDay', settings.mailsPerRecipientAndDay, 1_000);
  checkQuota('mailsPerApplicationAndDay', settings.mailsPerApplicationAndDay, 10_000_000);
  const hours = settings.timerHorizonHours;
  if (!(Number.isInteger(hours) && hours >= 12 && hours <= 720)) {
    throw new Error(`timerHorizonHours is ${hours}; it must be a whole number from 12 to 720`);
  }
  for (const [id, executions] of Object.entries(settings.reservedConcurrency ?? {})) {
    if (!(Number.isInteger(executions) && executions >= 1))
      throw new Error(`reservedConcurrency of ${id} is ${executions}; it must be a whole number from 1`);
  }
  const { deviceProfilingUrl, devicesPage, securityContact } = settings;
  if (securityContact !== undefined && !/^(mailto|https|tel):\S+$/.test(securityContact))
    throw new Error(`securityContact is '${securityContact}'; it must begin with mailto:, https: or tel:`);
  for (const [name, url] of Object.entries({ deviceProfilingUrl, devicesPage })) {
    if (url !== undefined && URL.parse(url)?.protocol !== 'https:') {
      throw new Error(`${name} is '${url}'; it must be an https address`);
    }
  }
}

function checkQuota(name: string, mails: number, most: number): void {
  if (Number.isInteger(mails) && mails >= 1 && mails <= most) return;
  throw new Error(`${name} is ${mails}; it must be a whole number from 1 to ${most}`);
}

/**
 * The address in `Name <address>`.
 *
 * @throws when the text contains no address.
 */
export function senderAddress(mailSender: string): string {
  const [, bracketed = mailSender] = /<([^<>]*)>$/.exec(mailSender) ?? [];
  if (/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(bracketed)) return bracketed;
  throw new Error(`'${mailSender}' is no sender; one looks like Name <no-reply@example.com>`);
}

/** The name of the dead-letter queue. It is fixed, so that the stacks of the services and operators find it. */
export function deadLetterQueueName({ name }: Pick<StageSettings, 'name'>): string {
  return `vouchsafe-${name}-dead-letters`;
}

/** The configuration set of SES that the mail of a stage names. */
export function configurationSetName({ name }: Pick<StageSettings, 'name'>): string {
  return `vouchsafe-${name}`;
}

/**
 * Checks that origins are written as browsers send them: scheme, host and port, without a trailing slash. They become
 * part of a mapping template of API Gateway, where any other character could change its meaning.
 *
 * @throws naming the first that is not an origin.
 */
export function checkOrigins(origins: readonly string[]): void {
  const wrong = origins.find((origin) => origin !== '*' && !isOrigin(origin));
  if (wrong !== undefined) throw new Error(`'${wrong}' is no origin; one looks like https://app.example.com`);
  if (origins.includes('*') && origins.length > 1) throw new Error(`'*' allows every origin: name no others`);
}

function isOrigin(text: string): boolean {
  return /^https?:\/\/[a-z0-9.:[\]-]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

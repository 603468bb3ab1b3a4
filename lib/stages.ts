/** Everything that differs between deployments. */
export interface StageSettings {
  /** Of stacks and of the API's stage. */
  readonly name: string;
  /** Origins (`https://app.example.com`) whose pages may call from a browser; `['*']` allows all. */
  readonly allowedOrigins: readonly string[];
  /** The API's own host name; the certificate must cover it and be of the same region. */
  readonly domain?: { readonly name: string; readonly certificateArn: string };
  /** Of functions and access logs. */
  readonly logRetentionDays: number;
  /** Whether logs outlive the functions that wrote them. */
  readonly keepLogs: boolean;
  /** Told of every alarm. */
  readonly alarmEmail?: string;
  /** `From` of every mail, `Name <address>`; SES must have verified the address or its domain. */
  readonly mailSender: string;
  /** The page where people see and remove their devices; mails link to it. */
  readonly devicesPage?: string;
  /** HTTPS endpoint that tells devices without a UUID of their own apart; none: by a hash of their signals. */
  readonly deviceProfilingUrl?: string;
  /** Whether the device list and revocation ask for a trusted device and the proof of the master password. */
  readonly deviceManagementProof: boolean;
  /** Requests a second that one application may make, up to 100. */
  readonly applicationRequestsPerSecond: number;
  /**
   * Steps of subscriptions that are due within so many hours wait in the state machine; the sweep starts the others in
   * time. 12 to 720: the sweep comes every six hours, and executions that wait count against the account's quota.
   */
  readonly timerHorizonHours: number;
  /** Requests a second of all callers together, and how many may come at once. */
  readonly throttling: { readonly ratePerSecond: number; readonly burst: number };
  /** Whether stacks refuse to be deleted. The table always does. */
  readonly terminationProtection: boolean;
}

/** Of a domain that cannot exist: mails fail until a real one is set. */
export const placeholderSender = 'Vouchsafe <no-reply@vouchsafe.example>';

const stages: Readonly<Record<string, StageSettings>> = {
  dev: {
    name: 'dev',
    allowedOrigins: ['*'],
    logRetentionDays: 7,
    keepLogs: false,
    mailSender: placeholderSender,
    deviceManagementProof: false,
    applicationRequestsPerSecond: 50,
    timerHorizonHours: 48,
    throttling: { ratePerSecond: 100, burst: 200 },
    terminationProtection: false,
  },
  prod: {
    name: 'prod',
    // None until the pages have an address: better a browser refused than any origin let in.
    allowedOrigins: [],
    logRetentionDays: 90,
    keepLogs: true,
    mailSender: placeholderSender,
    deviceManagementProof: false,
    applicationRequestsPerSecond: 50,
    timerHorizonHours: 48,
    throttling: { ratePerSecond: 2_000, burst: 4_000 },
    terminationProtection: true,
  },
};

/**
 * The settings of a stage.
 *
 * @throws when there is no such stage, naming those there are, or when its settings cannot be deployed.
 */
export function stageSettings(name: string): StageSettings {
  const settings = Object.hasOwn(stages, name) ? stages[name] : undefined;
  if (settings === undefined) {
    throw new Error(`There is no stage '${name}'; the stages are ${Object.keys(stages).join(', ')}`);
  }
  checkSettings(settings);
  return settings;
}

/** @throws naming the first setting that cannot be deployed. */
export function checkSettings(settings: StageSettings): void {
  checkOrigins(settings.allowedOrigins);
  senderAddress(settings.mailSender);
  const perSecond = settings.applicationRequestsPerSecond;
  // Each is an attribute in one expression, which DynamoDB takes up to 4 KB of.
  if (!(Number.isInteger(perSecond) && perSecond >= 1 && perSecond <= 100)) {
    throw new Error(`applicationRequestsPerSecond is ${perSecond}; it must be a whole number from 1 to 100`);
  }
  const hours = settings.timerHorizonHours;
  if (!(Number.isInteger(hours) && hours >= 12 && hours <= 720)) {
    throw new Error(`timerHorizonHours is ${hours}; it must be a whole number from 12 to 720`);
  }
  const { deviceProfilingUrl, devicesPage } = settings;
  for (const [name, url] of Object.entries({ deviceProfilingUrl, devicesPage })) {
    if (url !== undefined && URL.parse(url)?.protocol !== 'https:') {
      throw new Error(`${name} is '${url}'; it must be an https address`);
    }
  }
}

/**
 * The address in `Name <address>`.
 *
 * @throws when there is none.
 */
export function senderAddress(mailSender: string): string {
  const [, bracketed = mailSender] = /<([^<>]*)>$/.exec(mailSender) ?? [];
  if (/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(bracketed)) return bracketed;
  throw new Error(`'${mailSender}' is no sender; one looks like Name <no-reply@example.com>`);
}

/**
 * Origins as browsers send them: scheme, host and port, without a trailing slash. They are also written into a
 * template of API Gateway, where anything else could change what it says.
 *
 * @throws naming the first that is none.
 */
export function checkOrigins(origins: readonly string[]): void {
  const wrong = origins.find((origin) => origin !== '*' && !isOrigin(origin));
  if (wrong !== undefined) throw new Error(`'${wrong}' is no origin; one looks like https://app.example.com`);
  if (origins.includes('*') && origins.length > 1) throw new Error(`'*' allows every origin: name no others`);
}

function isOrigin(text: string): boolean {
  return /^https?:\/\/[a-z0-9.:[\]-]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

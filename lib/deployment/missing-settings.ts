import { placeholderSender, type StageSettings, stageFileName } from './stages.ts';

/** Why a setting is needed and an example of it, as it is written in the file of the deployer. */
interface Requirement {
  readonly setting: keyof StageSettings;
  readonly isMissing: (stage: StageSettings) => boolean;
  readonly reason: string;
  readonly example: string;
}

const requirements: readonly Requirement[] = [
  {
    setting: 'mailSender',
    isMissing: ({ mailSender }) => mailSender === placeholderSender,
    reason: 'codes, alerts and invoices are sent by mail; SES must have verified the address or its domain',
    example: '"mailSender": "Vouchsafe <no-reply@example.com>"',
  },
  {
    setting: 'allowedOrigins',
    isMissing: ({ allowedOrigins }) => allowedOrigins.length === 0,
    reason: 'pages of no other origin may call shares, devices, the vault and OAuth from a browser',
    example: '"allowedOrigins": ["https://app.example.com"]',
  },
  {
    setting: 'alarmEmail',
    isMissing: ({ alarmEmail }) => alarmEmail === undefined,
    reason: 'without it, nobody is told of an alarm',
    example: '"alarmEmail": "alarms@example.com"',
  },
  {
    setting: 'domain',
    isMissing: ({ domain }) => domain === undefined,
    reason:
      'links in mail, the issuer of OAuth and the addresses that clients keep would change with the API',
    example:
      '"domain": { "name": "api.example.com", "certificateArn": "arn:aws:acm:<region>:<account>:certificate/<id>" }',
  },
];

/** Settings that have no right default: each value excludes callers whom the other one admits. */
const choices: readonly Requirement[] = [
  {
    setting: 'enrolment',
    isMissing: ({ enrolment }) => enrolment === undefined,
    reason: [
      "'open': clients that know only the contract work for every user id, and whoever verifies a first device for a user id",
      "has that user until an operator enters another address; 'known': a first device is verified only for a user whom an",
      'operator entered, so clients that know only the contract work for those users alone',
    ].join(' '),
    example: '"enrolment": "known" or "enrolment": "open"',
  },
  {
    setting: 'deviceProof',
    isMissing: ({ deviceProof }) => deviceProof === undefined,
    reason: [
      "'offered': a device may prove possession of its key or token, and clients that know only the contract work without;",
      "'required': vault calls without that proof are refused, so clients that know only the contract cannot use the vault",
    ].join(' '),
    example: '"deviceProof": "offered" or "deviceProof": "required"',
  },
  {
    setting: 'deviceManagementProof',
    isMissing: ({ deviceManagementProof }) => deviceManagementProof === undefined,
    reason: [
      "false: whoever knows a user id reads the user's devices with their addresses and places, and removes them, as the",
      "contract says; true: GET and DELETE /api/devices require a trusted device and the proof of the user's master password,",
      'so clients that know only the contract have to send both',
    ].join(' '),
    example: '"deviceManagementProof": true or "deviceManagementProof": false',
  },
];

/**
 * The settings that a stage in production needs and lacks: one line for each, with how to set it. A stage that is not in
 * production needs none.
 */
export function missingSettings(stage: StageSettings): string[] {
  if (!stage.production) return [];
  return linesOf([...requirements, ...choices], stage);
}

/**
 * The choices that a stage in production has not made: one line for each, with what every value means for clients. The
 * templates of such a stage have the stricter values.
 */
export function missingChoices(stage: StageSettings): string[] {
  return stage.production ? linesOf(choices, stage) : [];
}

function linesOf(of: readonly Requirement[], stage: StageSettings): string[] {
  return of
    .filter(({ isMissing }) => isMissing(stage))
    .map(({ setting, reason, example }) => `${setting}: ${reason}. Set ${example}`);
}

/** @throws Error that lists all missing settings, when there are any. */
export function requireSettings(stage: StageSettings): void {
  const missing = missingSettings(stage);
  if (missing.length === 0) return;
  throw new Error(
    [
      `The stage ${stage.name} lacks ${missing.length} of its settings in ${stageFileName} (docs/deploy.md):`,
      ...missing.map((line) => `  ${line}`),
      `Nothing was deployed. For the templates alone: npm run synth -- -c stage=${stage.name}`,
    ].join('\n'),
  );
}

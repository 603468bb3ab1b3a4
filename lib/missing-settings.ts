import { placeholderSender, type StageSettings } from './stages.ts';

/** Why a setting is needed and an example of it, as it is written in `lib/stages.ts`. */
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
    example: "mailSender: 'Vouchsafe <no-reply@example.com>'",
  },
  {
    setting: 'allowedOrigins',
    isMissing: ({ allowedOrigins }) => allowedOrigins.length === 0,
    reason: 'pages of no other origin may call shares, devices, the vault and OAuth from a browser',
    example: "allowedOrigins: ['https://app.example.com']",
  },
  {
    setting: 'alarmEmail',
    isMissing: ({ alarmEmail }) => alarmEmail === undefined,
    reason: 'without it, nobody is told of an alarm',
    example: "alarmEmail: 'alarms@example.com'",
  },
  {
    setting: 'domain',
    isMissing: ({ domain }) => domain === undefined,
    reason:
      'links in mail, the issuer of OAuth and the addresses that clients keep would change with the API',
    example:
      "domain: { name: 'api.example.com', certificateArn: 'arn:aws:acm:<region>:<account>:certificate/<id>' }",
  },
];

/**
 * The settings that a stage in production needs and lacks: one line for each, with how to set it. A stage that is not in
 * production needs none.
 */
export function missingSettings(stage: StageSettings): string[] {
  if (!stage.production) return [];
  return requirements
    .filter(({ isMissing }) => isMissing(stage))
    .map(({ setting, reason, example }) => `${setting}: ${reason}. Set ${example}`);
}

/** @throws Error that lists all missing settings, when there are any. */
export function requireSettings(stage: StageSettings): void {
  const missing = missingSettings(stage);
  if (missing.length === 0) return;
  throw new Error(
    [
      `The stage ${stage.name} lacks ${missing.length} of its settings in lib/stages.ts (docs/deploy.md):`,
      ...missing.map((line) => `  ${line}`),
      'Nothing was deployed.',
    ].join('\n'),
  );
}

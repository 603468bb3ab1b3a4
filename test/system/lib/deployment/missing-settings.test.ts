import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import {
  missingChoices,
  missingSettings,
  requireSettings,
} from '../../../../lib/deployment/missing-settings.ts';
import { readStageFile } from '../../../../lib/deployment/stage-file.ts';
import { type StageSettings, stageSettings } from '../../../../lib/deployment/stages.ts';
import { domain } from './stacks/synthesized.ts';

const complete: StageSettings = {
  ...stageSettings('prod'),
  mailSender: 'Vouchsafe <no-reply@example.com>',
  allowedOrigins: ['https://app.example.com'],
  alarmEmail: 'alarms@example.com',
  domain,
  enrolment: 'known',
  deviceProof: 'offered',
  deviceManagementProof: false,
};

test('a stage in production needs a sender, origins, an address for alarms, a domain and three choices', () => {
  expect(missingSettings(stageSettings('prod')).map((line) => line.split(':', 1)[0])).toEqual([
    'mailSender',
    'allowedOrigins',
    'alarmEmail',
    'domain',
    'enrolment',
    'deviceProof',
    'deviceManagementProof',
  ]);
  expect(missingSettings(complete)).toEqual([]);
  expect(() => requireSettings(complete)).not.toThrow();
});

test('a choice is reported with every value and what it means for clients that know only the contract', () => {
  const [enrolment = '', deviceProof = '', management = ''] = missingChoices(stageSettings('prod'));
  for (const value of ["'open'", "'known'"]) expect(enrolment).toContain(`${value}: `);
  for (const value of ["'offered'", "'required'"]) expect(deviceProof).toContain(`${value}: `);
  for (const value of ['false', 'true']) expect(management).toContain(`${value}: `);
  for (const line of [enrolment, deviceProof, management])
    expect(line).toContain('clients that know only the contract');
  expect(missingChoices(complete)).toEqual([]);
});

const project = join(import.meta.dirname, '../../../..');
const work = mkdtempSync(join(tmpdir(), 'vouchsafe-deploy-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

/** The environment in which the CDK starts the program, without credentials, and with settings of a deployer. */
function programEnvironment(file: string, more: object) {
  const settings = join(work, 'stages.json');
  writeFileSync(settings, file);
  const context = JSON.stringify(Object.assign({ settings }, more));
  const { CDK_DEFAULT_ACCOUNT: _, ...env } = process.env;
  return { ...env, CDK_OUTDIR: join(work, 'cdk.out'), CDK_CONTEXT_JSON: context };
}

/** Runs the program, which is to write nothing. @returns what it says. */
function refusal(program: string, file: string, more: object): string {
  const env = programEnvironment(file, more);
  const { status, stderr } = spawnSync(process.execPath, [program], { cwd: project, env, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(existsSync(env.CDK_OUTDIR) ? readdirSync(env.CDK_OUTDIR) : []).toEqual([]);
  return stderr;
}

test.each([
  ['npm run deploy, as before', 'bin/cdk.ts', { requireSettings: 'true' }],
  ['the program of cdk.json', 'bin/cdk.mjs', {}],
])(
  'an incomplete stage is refused, with all that it lacks, before anything is bundled: %s',
  (_, program, more) => {
    expect(refusal(program, '{}', Object.assign({ stage: 'prod' }, more))).toMatch(
      /^The stage prod lacks 7 of its settings in stages\.json .*:(\n {2}\w+: .*)+\nNothing was deployed\. .*\n$/m,
    );
  },
);

test.each([
  ['{"prod":{"alarmMail":"a@example.com"}}', 'alarmMail: is no setting; the nearest is alarmEmail'],
  ['{"prod":', `The settings of stages cannot be read from ${join(work, 'stages.json')}: `],
  ['[]', `The settings of stages cannot be read from ${join(work, 'stages.json')}: `],
])('the file %s of a deployer is refused before anything is bundled', (file, message) => {
  expect(refusal('bin/cdk.ts', file, { stage: 'prod' })).toContain(message);
});

test('a file of the deployer that is named and missing is refused', () => {
  const missing = join(work, 'missing.json');
  expect(() => readStageFile(missing)).toThrow(missing);
});

test('the settings that the deployment guide shows complete the stage', () => {
  const guide = readFileSync(join(project, 'docs/deploy.md'), 'utf8');
  const [, shown = ''] = /```json\n([\s\S]*?)```/.exec(guide) ?? [];
  expect(missingSettings(stageSettings('prod', JSON.parse(shown)))).toEqual([]);
});

test('a synthesis without credentials says what cannot be done, and which step of the guide comes first', async () => {
  const program = spawn(process.execPath, ['bin/cdk.ts'], {
    cwd: project,
    env: programEnvironment('{}', { stage: 'dev' }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said] = await once(program.stderr, 'data');
  program.kill();
  await once(program, 'exit');
  expect(String(said)).toMatch(/^No credentials of AWS: .* sign in first \(docs\/deploy\.md, step 1\)\.\n$/);
});

test('npm run synth alone shows an incomplete stage, and no script deploys one', () => {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const lenient = Object.keys(scripts).filter((name) => scripts[name].includes('requireSettings'));
  expect(lenient).toEqual(['synth']);
  expect(scripts.synth).toContain('cdk synth --quiet -c requireSettings=false');
});

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chosenStage, environmentOf } from '../../../../lib/deployment/chosen-stage.ts';
import {
  missingChoices,
  missingSettings,
  requireSettings,
} from '../../../../lib/deployment/missing-settings.ts';
import { readStageFile, type StageSettings, stageSettings } from '../../../../lib/deployment/stages.ts';
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

/** A file with the settings of a deployer. */
function stagesFile(content: string): string {
  const file = join(work, 'stages.json');
  writeFileSync(file, content);
  return file;
}

/** Refuses the stage of a context with a file of settings. */
const refused = (context: Record<string, string>, content: string) => () => {
  const given: Record<string, string> = Object.assign({ settings: stagesFile(content) }, context);
  chosenStage((name) => given[name]);
};

const lacking =
  /^The stage prod lacks 7 of its settings in stages\.json .*:(\n {2}\w+: .*)+\nNothing was deployed\. .*/;

test('the program of cdk.json refuses an incomplete stage, with all that it lacks, before anything is bundled', () => {
  const settings = stagesFile('{}');
  const out = join(work, 'cdk.out');
  const { status, stderr } = spawnSync(process.execPath, ['bin/cdk.mjs'], {
    cwd: project,
    env: Object.assign({}, process.env, {
      CDK_OUTDIR: out,
      CDK_CONTEXT_JSON: JSON.stringify({ stage: 'prod', settings }),
    }),
    encoding: 'utf8',
  });
  expect(stderr).toMatch(lacking);
  expect(status).toBe(1);
  expect(existsSync(out) ? readdirSync(out) : []).toEqual([]);
});

test.each<[string, Record<string, string>, string, string | RegExp]>([
  ['an incomplete stage, as npm run deploy did', { stage: 'prod', requireSettings: 'true' }, '{}', lacking],
  [
    'a setting that does not exist',
    { stage: 'prod' },
    '{"prod":{"alarmMail":"a@example.com"}}',
    'alarmMail: is no setting; the nearest is alarmEmail',
  ],
  ['a file that is cut', {}, '{"prod":', `The settings of stages cannot be read from ${work}/stages.json: `],
  ['a file without stages', {}, '[]', `The settings of stages cannot be read from ${work}/stages.json: `],
])('%s is refused', (_, context, content, message) => {
  expect(refused(context, content)).toThrow(message);
});

test('a synthesis without credentials says what cannot be done, and which step of the guide comes first', () => {
  const said: string[] = [];
  const env = (variables: NodeJS.ProcessEnv) =>
    environmentOf(stageSettings('dev'), variables, (text) => said.push(text));
  expect(env({ CDK_DEFAULT_ACCOUNT: '1', CDK_DEFAULT_REGION: 'eu-west-1' })).toEqual({
    account: '1',
    region: 'eu-west-1',
  });
  expect(said).toEqual([]);
  env({});
  expect(said.join()).toMatch(/^No credentials of AWS: .* sign in first \(docs\/deploy\.md, step 1\)\.\n$/);
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

test('npm run synth alone shows an incomplete stage, and no script deploys one', () => {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const lenient = Object.keys(scripts).filter((name) => scripts[name].includes('requireSettings'));
  expect(lenient).toEqual(['synth']);
  expect(scripts.synth).toContain('cdk synth --quiet -c requireSettings=false');
});

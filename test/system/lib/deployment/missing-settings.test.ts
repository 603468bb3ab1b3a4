import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  missingChoices,
  missingSettings,
  requireSettings,
} from '../../../../lib/deployment/missing-settings.ts';
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

test.each([
  ['npm run deploy, as before', 'bin/cdk.ts', { requireSettings: 'true' }],
  ['the program of cdk.json', 'bin/cdk.mjs', {}],
])(
  'an incomplete stage is refused, with all that it lacks, before anything is bundled: %s',
  (_, program, more) => {
    const outdir = mkdtempSync(join(tmpdir(), 'vouchsafe-deploy-'));
    const context = JSON.stringify(Object.assign({ stage: 'prod' }, more));
    const { status, stderr } = spawnSync(process.execPath, [program], {
      cwd: project,
      env: { ...process.env, CDK_OUTDIR: outdir, CDK_CONTEXT_JSON: context },
      encoding: 'utf8',
    });
    const written = existsSync(outdir) ? readdirSync(outdir) : [];
    rmSync(outdir, { recursive: true, force: true });
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^The stage prod lacks \d+ of its settings .*:(\n {2}\w+: .*)+\nNothing was deployed\. .*\n$/m,
    );
    expect(written).toEqual([]);
  },
);

test('npm run synth alone shows an incomplete stage, and no script deploys one', () => {
  const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const lenient = Object.keys(scripts).filter((name) => scripts[name].includes('requireSettings'));
  expect(lenient).toEqual(['synth']);
  expect(scripts.synth).toContain('cdk synth --quiet -c requireSettings=false');
});

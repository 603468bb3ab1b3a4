import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, type Environment } from 'aws-cdk-lib';
import { type Registered, registeredRoutes } from '../../functions/routes.ts';
import { registeredTimers } from '../../functions/timers.ts';
import { addDeployment } from '../../lib/app.ts';
import { type StageSettings, stageSettings } from '../../lib/stages.ts';

const { context } = JSON.parse(readFileSync(join(import.meta.dirname, '../../cdk.json'), 'utf8'));

/**
 * The stacks as `cdk synth` creates them, with an empty function as code.
 *
 * @returns the stacks, and `remove`, which deletes the written files.
 */
export function deployment(
  settings: Partial<StageSettings> = {},
  registry: readonly Registered[] = registeredRoutes(),
  env: Environment = {},
) {
  const work = mkdtempSync(join(tmpdir(), 'vouchsafe-stacks-'));
  mkdirSync(join(work, 'code'));
  writeFileSync(join(work, 'code/index.js'), 'exports.handler = async () => {};\n');
  mkdirSync(join(work, 'layer/geo'), { recursive: true });
  writeFileSync(join(work, 'layer/geo/NOTICE'), 'none\n');
  const app = new App({ outdir: join(work, 'cdk.out'), context, analyticsReporting: false });
  const stacks = addDeployment(app, {
    stage: { ...stageSettings('dev'), ...settings },
    registry,
    env,
    bundles: [...registry, ...registeredTimers()].map(({ id }) => ({ id, directory: join(work, 'code') })),
    geoDirectory: join(work, 'layer'),
  });
  return { app, ...stacks, remove: () => rmSync(work, { recursive: true, force: true }) };
}

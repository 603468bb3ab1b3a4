/**
 * npm run judges: what others than this project's own tests say about the deployment, in one table. It fails when a
 * judge finds a fault. `npm run judges -- sample` judges one stage and a part of its functions.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registeredRoutes } from '../../functions/routes.ts';
import { dayMs, secondMs } from '../../functions/shared/runtime/clock.ts';
import { registeredTimers } from '../../functions/timers.ts';
import setup from '../support/global-setup.ts';
import { printReports, type Report } from './report.ts';
import { type Assembly, copyProject, judgeSameBytes, synthesizeStage } from './synthesis.ts';

const [only] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'vouchsafe-judges-'));
const stopEngine = await setup();
const reports: (Report & { seconds: number })[] = [];

async function judge(run: () => Report | Promise<Report>): Promise<void> {
  const startedMs = performance.now();
  const report = await run();
  reports.push({ ...report, seconds: (performance.now() - startedMs) / secondMs });
}

try {
  await import('../support/table/table-of-worker.ts');
  await judgeDeployment();
} finally {
  await stopEngine();
  rmSync(work, { recursive: true, force: true });
}
printReports(reports);
process.exit(reports.some(({ faults }) => faults.length > 0) ? 1 : 0);

/** A sample is the stage `prod`, with every twelfth function. */
async function judgeDeployment(): Promise<void> {
  const isSample = only === 'sample';
  const ids = [...registeredRoutes(), ...registeredTimers()].map(({ id }) => id);
  const isChosen = (id: string) => !isSample || ids.indexOf(id) % 12 === 0;
  const recording = import('./recorded-requests.ts').then(({ recordRequests }) => recordRequests(isChosen));
  const assemblies = isSample ? [await synthesizeStage('prod', join(work, 'prod'))] : await judgedTwice();
  const recorded = await recording;
  await judge(async () => (await import('./templates.ts')).judgeTemplates(assemblies));
  await judge(async () => (await import('./iam.ts')).judgePolicies(assemblies, recorded, isChosen));
}

/** Both stages, one of them synthesized twice. */
async function judgedTwice(): Promise<Assembly[]> {
  const startedMs = performance.now();
  const dev = await synthesizeStage('dev', join(work, 'dev'));
  const prod = synthesizeStage('prod', join(work, 'prod'));
  const elsewhere = {
    project: copyProject(join(work, 'elsewhere')),
    shiftMs: 366 * dayMs,
    timeZone: 'Asia/Kathmandu',
  };
  const again = synthesizeStage('dev', join(work, 'again'), elsewhere);
  const assemblies = [dev, await prod];
  const sameBytes = judgeSameBytes(dev, await again);
  reports.push({ ...sameBytes, seconds: (performance.now() - startedMs) / secondMs });
  return assemblies;
}

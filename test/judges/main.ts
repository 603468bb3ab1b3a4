/**
 * npm run judges: what others than this project's own tests say about the deployment, in one table. It fails when a
 * judge finds a fault. `npm run judges -- runtime` runs the bundles under AWS's own runtime client instead, which it
 * compiles first.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dayMs } from '../../functions/shared/runtime/duration.ts';
import setup from '../support/global-setup.ts';
import { printReports, type Report } from './report.ts';
import { copyProject, judgeSameBytes, synthesizeStage } from './synthesis.ts';

const work = mkdtempSync(join(tmpdir(), 'vouchsafe-judges-'));
const stopEngine = await setup();
const reports: (Report & { seconds: number })[] = [];

async function judge(run: () => Report | Promise<Report>): Promise<void> {
  const startedMs = performance.now();
  const report = await run();
  reports.push({ ...report, seconds: (performance.now() - startedMs) / 1_000 });
}

try {
  await import('../support/table-of-worker.ts');
  if (process.argv.includes('runtime')) {
    await judge(async () => (await import('./runtime.ts')).judgeRuntime(work));
  } else {
    await judgeDeployment();
  }
} finally {
  await stopEngine();
  rmSync(work, { recursive: true, force: true });
}
printReports(reports);
process.exit(reports.some(({ faults }) => faults.length > 0) ? 1 : 0);

async function judgeDeployment(): Promise<void> {
  const startedMs = performance.now();
  const recording = import('./recorded-requests.ts').then(({ recordRequests }) => recordRequests());
  const dev = await synthesizeStage('dev', join(work, 'dev'));
  const prod = synthesizeStage('prod', join(work, 'prod'));
  const elsewhere = {
    project: copyProject(join(work, 'elsewhere')),
    shiftMs: 366 * dayMs,
    timeZone: 'Asia/Kathmandu',
  };
  const again = synthesizeStage('dev', join(work, 'again'), elsewhere);
  const assemblies = [dev, await prod];
  const recorded = await recording;
  const sameBytes = judgeSameBytes(dev, await again);
  reports.push({ ...sameBytes, seconds: (performance.now() - startedMs) / 1_000 });
  await judge(async () => (await import('./templates.ts')).judgeTemplates(assemblies));
  await judge(async () => (await import('./iam.ts')).judgePolicies(assemblies, recorded));
}

import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { plant } from './test/planted/plant.ts';
import { comparedHandlers } from './test/support/documentation/module.ts';
import { SlowestFiles } from './test/support/slowest-files.ts';

/**
 * A layer is a folder of `test/`, and `.dependency-cruiser.layers.mjs` says what its files may import. `npm test` begins with the
 * layer that takes longest, so that no long file runs alone at the end.
 */
const layers = ['tools', 'system', 'handlers', 'pure'];

/** Layer by layer; within a layer the files that took longest, or are longest. */
class LayerByLayer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => layers.indexOf(project.name);
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

// `npm test` and `npx vitest` run the Node.js of the project, and `node_modules/.bin/vitest` that of the machine.
if (process.getBuiltinModule('node:sqlite') === undefined) {
  process.stderr.write(
    `The tests need Node.js 24, and this is ${process.version}. Run npm test, or put the Node.js of the project first:\n  export PATH=$PWD/node_modules/.bin:$PATH\n`,
  );
  process.exit(1);
}

// Sources that follow from the contracts. In a process: Vite bundles each module that this one imports.
execFileSync(process.execPath, ['lib/client/package/generate.ts'], { cwd: import.meta.dirname });

/** Settings of the logger and the metrics of the functions. */
const quiet = { POWERTOOLS_METRICS_DISABLED: 'true', POWERTOOLS_DEV: 'true', POWERTOOLS_LOG_LEVEL: 'SILENT' };

const hangGuardMs = 120_000;

const layer = (name: string, test: TestProjectInlineConfiguration['test']) => ({
  extends: true as const,
  test: Object.assign({ name, include: [`test/${name}/**/*.test.ts`] }, test),
});

/** The services that functions call, and the variables that a deployment sets. */
const service = {
  globalSetup: 'test/support/global-setup.ts',
  setupFiles: [
    'test/support/table/table-of-worker.ts',
    'test/support/table/table-connection.ts',
    'test/support/interruptions/retry-budget.ts',
    'test/support/interruptions/failed-requests.ts',
    'test/support/documentation/setup.ts',
  ],
};

export default defineConfig({
  plugins: [plant, comparedHandlers],
  test: {
    globals: true,
    projects: [
      layer('pure', {}),
      layer('handlers', { ...service, setupFiles: [...service.setupFiles, 'test/support/present.ts'] }),
      layer('system', service),
      layer('tools', service),
    ],
    // Files share one module graph per worker: each keeps to its own keys and puts back what it patches.
    isolate: false,
    reporters: ['default', new SlowestFiles()],
    // One more than there are processors: a worker often waits for the engine, or for a process it started.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LayerByLayer },
    fsModuleCache: true,
    // Variables of the shell win.
    env: Object.fromEntries(Object.entries(quiet).map(([name, value]) => [name, process.env[name] ?? value])),
    // No test is timed by these: they end one that hangs, on a slow machine too.
    testTimeout: hangGuardMs,
    hookTimeout: hangGuardMs,
    expect: { poll: { timeout: hangGuardMs / 2 } },
  },
});

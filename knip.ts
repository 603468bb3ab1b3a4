import type { KnipConfig } from 'knip';
import { registeredRoutes } from './functions/routes.ts';
import { registeredTimers } from './functions/timers.ts';

/** Entries are handlers, programs and tests. An export that none of them reaches is dead. */
export default {
  entry: [
    // The stack and the local server find a handler by its file name.
    ...[...registeredRoutes(), ...registeredTimers()].map(
      ({ service, name }) => `functions/${service}/${name}.ts`,
    ),
    'bin/*.{ts,mjs}',
    'test/**/*.test.ts',
    // The script of the share page, which is bundled for browsers.
    'lib/share-page/main.tsx',
    // That of the console.
    'lib/console-page/main.ts',
    // Those of the reference.
    'lib/reference/script/{main,local}.ts',
    // The entries and the program of the published client, and the program that packs it.
    'lib/client/{index,share,vault,api,webhook}.ts',
    'lib/client/package/{build,generate}.ts',
    'lib/client/cli/main.ts',
    // Started as processes of their own.
    'test/{faults,fuzz,orders}/worker.ts',
    // Loaded with `--import` into the local stack of the screenshots.
    'test/screenshots/fixed.ts',
    // Loaded with `--import` into local stacks that tests start.
    'test/support/documentation/register.ts',
    // Loaded with `--import` into every process of a run under another date.
    'test/calendar/moved-clock.ts',
    // Named by stryker.config.json.
    'test/mutants/vitest.config.ts',
    // Run by a test, to fail.
    'test/support/failing/{request,vitest.config}.ts',
    // The bundler puts it in the place of packages that no function calls.
    'lib/deployment/bundling/empty-module.ts',
    'lib/deployment/bundling/endpoint-cache.ts',
  ],
  // Resolved by name at run time.
  ignoreDependencies: [
    'asl-validator',
    'dejavu-fonts-ttf',
    '@fontsource/noto-emoji',
    '@fontsource/noto-sans-kr',
    '@fontsource/noto-sans-sc',
  ],
  // Judges the journal where it is installed.
  ignoreBinaries: ['hledger'],
  project: ['bin/**/*.ts', 'lib/**/*.{ts,tsx}', 'functions/**/*.ts', 'test/**/*.ts'],
} satisfies KnipConfig;

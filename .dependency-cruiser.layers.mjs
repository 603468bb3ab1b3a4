import { options as sources } from './.dependency-cruiser.mjs';

/** Modules that start processes and browsers, and that make bundles and templates. */
const outside = [
  '^(node:)?(child_process|worker_threads)$',
  'node_modules/(aws-cdk|aws-cdk-lib|esbuild|playwright-core)/',
];

/**
 * Limits what the tests of a layer load, directly or through others. Imports of types do not count: they load nothing.
 * Tests in `test/system` and `test/tools` may load everything. Each rule is proven by a planted violation in test/tools/directions.test.ts.
 * @type {import('dependency-cruiser').IConfiguration}
 */
export default {
  forbidden: [
    {
      name: 'pure-tests-compute',
      comment: 'A pure test has no table, server, process, browser, bundle or template.',
      severity: 'error',
      from: { path: '^test/pure/' },
      to: {
        reachable: true,
        path: [
          ...outside,
          '^functions/shared/table/(client|query|table)\\.ts$',
          '^(node:)?(sqlite|http|https|http2|tls)$',
          'node_modules/@aws-sdk/(client|lib)-',
        ],
      },
    },
    {
      name: 'handler-tests-start-nothing',
      comment:
        'A test of handlers has the engine of the run, and no process, browser, bundle or template of its own. hledger judges the journal.',
      severity: 'error',
      from: {
        path: '^test/handlers/',
        pathNot:
          '^test/handlers/functions/(journal/(list|closed-month)|reports/bad-debts|payments/settle/moved-terms|subscriptions/machine/walks)\\.test\\.ts$',
      },
      to: { reachable: true, path: outside },
    },
  ],
  options: Object.assign({}, sources, { tsPreCompilationDeps: false }),
};

import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { comparedHandlers } from './test/support/documentation/module.ts';

/**
 * Files that are slow by nature, the slowest first: they convert data, synthesize stacks, bundle, compile, start
 * browsers and processes, follow subscriptions through months, or attack and race an endpoint many times.
 * `npm test` begins with them, so that none is left over for the end; `npm run test:fast` leaves them out.
 */
export const slowFiles = [
  'test/functions/subscriptions/lifecycle/walks.test.ts',
  'test/functions/subscriptions/engine/command-races.test.ts',
  'test/functions/subscriptions/change-orders.test.ts',
  'test/functions/late-dates.test.ts',
  'test/functions/devices/identification/location.test.ts',
  'test/upgrade/upgrade.test.ts',
  'test/lib/rules.test.ts',
  'test/lib/bundle.test.ts',
  'test/functions/operator/takeover.test.ts',
  'test/functions/operator/user-reset.test.ts',
  'test/functions/subscriptions/engine/crashes.test.ts',
  'test/functions/subscriptions/state/entitlement-dates.test.ts',
  'test/functions/subscriptions/attacks-late.test.ts',
  'test/functions/subscriptions/engine/create-races.test.ts',
  'test/functions/shares/shares.test.ts',
  'test/functions/subscriptions/lifecycle/model.test.ts',
  'test/functions/vault/sizes.test.ts',
  'test/functions/vault/races.test.ts',
  'test/functions/vault/whole.test.ts',
  'test/lib/webhooks.test.ts',
  'test/lib/webhooks-killed.test.ts',
  'test/functions/webhooks/events/list-races.test.ts',
  'test/lib/subscriptions-killed.test.ts',
  'test/lib/subscriptions-clock.test.ts',
  'test/lib/subscriptions-http.test.ts',
  'test/lib/billing-scenarios.test.ts',
  'test/lib/operator/operate.test.ts',
  'test/lib/local/process.test.ts',
  'test/lib/local/mailbox/endpoint.test.ts',
  'test/lib/client/cli/cli.test.ts',
  'test/lib/client/package.test.ts',
  'test/lib/client/share/share-client.test.ts',
  'test/lib/client/vault/vault-client.test.ts',
  'test/lib/client/vault/browser.test.ts',
  'test/lib/client/vault/verify.test.ts',
  'test/lib/scaffold/new-endpoint.test.ts',
  'test/functions/subscriptions/outbox/outbox.test.ts',
  'test/lib/pages/share-page.test.ts',
  'test/readme.test.ts',
  'test/lib/demo-oauth/demo-oauth.test.ts',
  'test/lib/demo-oauth/demo-oauth-browser.test.ts',
  'test/lib/pages/account.test.ts',
  'test/lib/pages/billing.test.ts',
  'test/lib/pages/consent.test.ts',
  'test/lib/pages/checkout.test.ts',
  'test/lib/pages/reference.test.ts',
  'test/lib/pages/problems.test.ts',
  'test/lib/pages/open-pages.test.ts',
  'test/lib/gateway-document.test.ts',
  'test/functions/subscriptions/engine/timers-once.test.ts',
  'test/functions/subscriptions/settlement/settlement.test.ts',
  'test/functions/subscriptions/engine/terms.test.ts',
  'test/functions/subscriptions/attacks-once.test.ts',
  'test/functions/subscriptions/scheduling/sweep.test.ts',
  'test/functions/devices/attacks/attacks-by-guessing.test.ts',
  'test/functions/devices/attacks/attacks-by-flood.test.ts',
  'test/functions/devices/send-alerts.test.ts',
  'test/functions/links/table.test.ts',
  'test/functions/links/crowds.test.ts',
  'test/functions/shared/auth/proof-lock.test.ts',
  'test/functions/shared/table/table.test.ts',
  'test/functions/operator/abuse.test.ts',
  'test/functions/links/review-decide.test.ts',
  'test/functions/links/review-list.test.ts',
  'test/functions/subscriptions/lifecycle-endpoints.test.ts',
  'test/functions/subscriptions/attacks-who.test.ts',
  'test/functions/subscriptions/stripe/open-session.test.ts',
  'test/functions/subscriptions/catalog.test.ts',
  'test/functions/devices/attacks/attacks-by-confusion.test.ts',
  'test/functions/devices/attacks/attacks-by-mail.test.ts',
  'test/functions/devices/attacks/attacks-by-race.test.ts',
  'test/functions/devices/trust.test.ts',
  'test/functions/devices/trust-transaction.test.ts',
  'test/functions/devices/management.test.ts',
  'test/functions/devices/states.test.ts',
  'test/functions/vault/write.test.ts',
  'test/functions/vault/order.test.ts',
  'test/functions/shared/auth/one-time-codes.test.ts',
  'test/lib/local/stack.test.ts',
  'test/lib/smoke/smoke.test.ts',
  'test/directions.test.ts',
];

/** The slow files first; of the others those that took longest, or are longest. */
class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = slowFiles.findIndex((file) => moduleId.endsWith(`/${file}`));
      return index === -1 ? slowFiles.length : index;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

const hangGuardMs = 120_000;

export default defineConfig({
  plugins: [comparedHandlers],
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    setupFiles: [
      'test/support/table-of-worker.ts',
      'test/support/table-connection.ts',
      'test/support/retry-budget.ts',
      'test/support/documentation/setup.ts',
    ],
    // Files share one module graph per worker: each keeps to its own keys and puts back what it patches.
    isolate: false,
    // One more than there are processors: a worker often waits for the engine, or for a process it started.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: SlowFilesFirst },
    // No test is timed by these: they end one that hangs, on a slow machine too.
    testTimeout: hangGuardMs,
    hookTimeout: hangGuardMs,
    expect: { poll: { timeout: hangGuardMs / 2 } },
  },
});

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEngine } from '../../lib/local/engine.ts';
import { listen, listenEndpoint } from '../../lib/local/listen.ts';
import { mailboxEndpoint } from '../../lib/local/mailbox/endpoint.ts';
import { Mailbox } from '../../lib/local/mailbox/mailbox.ts';
import { mailboxRoutes } from '../../lib/local/mailbox/routes.ts';
import { secretsEndpoint } from '../../lib/local/secrets.ts';
import { openState } from '../../lib/local/state.ts';
import { startStateMachines, waitingMachineArn } from './state-machines.ts';

/** The same in every run, so that what a fixture holds is valid (`test/upgrade`). It protects nothing. */
const deploymentKey = Buffer.alloc(32, 'test').toString('hex');
const configurationSet = 'vouchsafe-test';
const stripePrefix = 'vouchsafe/test/stripe/';
/** The Stripe keys of every application, which no real account has. */
const stripeKeys = { secretKey: 'sk_test_vouchsafe', webhookSecret: 'whsec_vouchsafe' };

/**
 * One engine in memory for the whole run; or the engine that `AWS_ENDPOINT_URL_DYNAMODB` names
 * (AWS's own DynamoDB Local), which must pass the same tests. Each worker makes a table of its own. Also one mailbox,
 * the secrets, and state machines that only wait (`startTimers` makes ones that run). The workers inherit the
 * environment set here. Both layers that need it name this file; the first one starts it for both.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env.TEST_TABLE_PREFIX !== undefined) return async () => undefined;
  // Files that tests and their processes leave are removed with it.
  const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-run-'));
  process.env.TMPDIR = folder;
  const defaults = {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    POWERTOOLS_METRICS_DISABLED: 'true',
    POWERTOOLS_DEV: 'true',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
    MAIL_SENDER: 'Vouchsafe <no-reply@vouchsafe.example>',
    MAIL_CONFIGURATION_SET: configurationSet,
    SANDBOX_GATEWAY: 'true',
    DEPLOYMENT_KEY_SECRET: 'test-secret',
    STRIPE_SECRET_PREFIX: stripePrefix,
    // Processes that a test starts load their modules compiled: a local stack starts three times as fast.
    NODE_COMPILE_CACHE: join(import.meta.dirname, '../../node_modules/.cache/vouchsafe/compiled'),
  };
  for (const [name, value] of Object.entries(defaults)) process.env[name] ??= value;

  const given = process.env.AWS_ENDPOINT_URL_DYNAMODB;
  const engine = given === undefined ? await startEngine() : undefined;
  const endpoint = engine?.endpoint ?? given ?? '';
  process.env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
  if (engine !== undefined) {
    process.env.TEST_ENGINE = endpoint;
    process.env.TEST_ENGINE_DATABASE = engine.databasePath;
  }
  process.env.TEST_TABLE_PREFIX = `test-${randomBytes(6).toString('hex')}`;

  const secrets = await listenEndpoint(
    secretsEndpoint({ 'test-secret': deploymentKey }, { [stripePrefix]: JSON.stringify(stripeKeys) }),
  );
  process.env.AWS_ENDPOINT_URL_SECRETS_MANAGER = secrets.url;
  const mailbox = await startMailbox();
  process.env.AWS_ENDPOINT_URL_SES = mailbox.sesUrl;
  process.env.TEST_MAILBOX_URL = mailbox.readUrl;
  const stateMachines = await startStateMachines();
  process.env.AWS_ENDPOINT_URL_SFN = stateMachines.url;
  process.env.TIMER_STATE_MACHINE_ARN = waitingMachineArn;
  process.env.WEBHOOK_DELIVERY_MACHINE_ARN = waitingMachineArn;
  process.env.WEBHOOK_RETRY_MACHINE_ARN = waitingMachineArn;
  process.env.BANK_IMPORT_MACHINE_ARN = waitingMachineArn;
  process.env.TIMER_HORIZON_HOURS = '48';
  return async () => {
    await Promise.all([engine?.stop(), secrets.close(), mailbox.close(), stateMachines.close()]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };
}

async function startMailbox() {
  const mailbox = new Mailbox({
    state: openState(':memory:'),
    nowMs: Date.now,
    verifiedDomains: ['vouchsafe.example'],
    configurationSets: [configurationSet],
  });
  const ses = await listenEndpoint(mailboxEndpoint(mailbox));
  const routes = mailboxRoutes(mailbox);
  const reading = createServer((request, response) => {
    void routes(request, response, new URL(request.url ?? '/', 'http://mailbox'));
  });
  const read = await listen(reading, 0);
  return {
    sesUrl: ses.url,
    readUrl: `${read.url}/_local/mailbox`,
    close: () => Promise.all([ses.close(), read.close()]),
  };
}

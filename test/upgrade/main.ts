/**
 * Records the fixture of a release: plays requests of every service against the present code, and writes the items of
 * the table and what the callers keep to `test/fixtures/<release>/table.json`, and the table's indexes to `indexes.json`.
 *
 * `npm run fixture -- 0.1.0`
 */

import { newOperatorKey, storeOperatorKey } from '../../lib/operator/operator-key.ts';
import { synthesize } from '../support/deployment.ts';
import { dumpTable, type Held, requireEveryPrefix, writeFixture } from './fixture.ts';
import { declaredIndexes, writeIndexes } from './indexes.ts';
import { createBooks } from './record-books.ts';
import { createGrants } from './record-oauth.ts';
import { createPayments } from './record-payments.ts';
import { createStatements } from './record-statements.ts';
import { createSubscriptions, leaveMailDue } from './record-subscriptions.ts';
import {
  createDevicesAndVaults,
  createLinks,
  createShares,
  createTenants,
  createWebhooks,
} from './records.ts';
import { startStackAt } from './stack.ts';

const [release = ''] = process.argv.slice(2);
if (!/^\d+\.\d+\.\d+$/.test(release)) {
  process.stderr.write('Usage: npm run fixture -- <release>, such as 0.1.0\n');
  process.exit(2);
}

// In the future, so that no engine deletes an item whose time to live has passed.
const stack = await startStackAt(Date.UTC(2034, 11, 1, 9));
const operator = newOperatorKey(await stack.now(), 'Olga Operator');
await storeOperatorKey(operator, stack.tableName);
const tenants = await createTenants(stack, operator.secret);
const subscriptions = await createSubscriptions(stack, tenants);
const payments = await createPayments(stack, tenants);
const books = await createBooks(stack, operator.secret, tenants);
await createStatements(stack, tenants);
const links = await createLinks(stack, operator.secret, tenants);
// Before the devices, whose last code is used at the end: it moves the clock.
const webhooks = await createWebhooks(stack, tenants);
const devices = await createDevicesAndVaults(stack);
const shares = await createShares(stack);
// Near the end, because an authorization code is valid for 60 seconds.
const grants = await createGrants(stack, tenants);
const due = await leaveMailDue(stack, tenants, devices);
const held: Held = {
  operatorKey: operator.secret,
  tenants,
  shares,
  devices,
  links,
  grants,
  subscriptions,
  due,
  payments,
  books,
  webhooks,
};
const recordedAt = new Date(await stack.now()).toISOString();
const items = await dumpTable(stack.tableName);
requireEveryPrefix(items);
const executions = await stack.stop();
const file = writeFixture(release, { recordedAt, held, executions, items });
writeIndexes(release, declaredIndexes(synthesize().templates.get('data')?.json));
process.stdout.write(`${file}: ${items.length} items, ${executions.length} waiting executions\n`);
process.exit(0);

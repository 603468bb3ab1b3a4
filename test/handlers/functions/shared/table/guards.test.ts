import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { registeredRoutes } from '../../../../../functions/routes.ts';
import { dynamodb } from '../../../../../functions/shared/table/table.ts';
import { call } from '../../../../support/call.ts';
import { samples } from '../../../../support/samples/requests.ts';

const root = join(import.meta.dirname, '../../../../../functions');

/** Every call that writes one item, with its guard, as the sources state them. */
function guardedWrites(): string[] {
  return globSync('**/*.ts', { cwd: root })
    .filter((file) => !file.endsWith('table/table.ts') && !file.endsWith('table/newest-update.ts'))
    .flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8');
      const calls = source.matchAll(/\b(putItem|updateItem|deleteItem|updateNewest)\(/g);
      return [...calls].map(({ 1: name = '', index }) => `${file} ${name} ${guardOf(source, name, index)}`);
    })
    .sort();
}

function guardOf(source: string, name: string, at: number): string {
  if (name === 'updateNewest') {
    const [, attribute] = /timeAttribute: '(\w+)'/.exec(source) ?? [];
    return `newest: ${attribute}`;
  }
  // A guard is an argument of the call, or a constant on the line before it.
  const from = Math.max(0, source.lastIndexOf('\n', source.lastIndexOf('\n', at) - 1));
  const [, kind = 'none', text = ''] =
    /guard(?::| =) \{ (once|newest|harmless): '([^']+)'/.exec(source.slice(from)) ?? [];
  return `${kind}: ${text}`;
}

test('every write of one item names its guard, and is listed here', () => {
  expect(guardedWrites()).toEqual([
    'devices/alerts/store.ts deleteItem harmless: the id of an alert is used once',
    'devices/alerts/store.ts updateItem once: leasedUntilMs',
    'devices/alerts/store.ts updateItem once: leasedUntilMs',
    'devices/store.ts deleteItem once: lastUsedAtMs',
    'devices/store.ts updateItem newest: lastUsedAtMs',
    'devices/store.ts updateItem newest: lastUsedAtMs',
    'finance/reports/store.ts putItem once: version',
    'finance/statements/store.ts putItem once: pk',
    'finance/statements/store.ts putItem once: pk',
    'finance/statements/store.ts putItem once: pk',
    'finance/statements/store.ts updateItem once: partsDone',
    'finance/statements/store.ts updateItem once: status',
    'oauth/tokens/store.ts deleteItem harmless: a token is stored once',
    'oauth/tokens/store.ts putItem harmless: the token is revoked for good',
    'oauth/tokens/store.ts updateItem newest: lastRotation.atMs',
    'operator/mails/store.ts updateItem once: givenUpAtMs',
    'shared/accounts/stored-proof.ts updateItem once: securityStamp',
    'shared/auth/code-tries.ts updateItem harmless: counts a try under its name, once',
    'shared/auth/code-tries.ts updateItem harmless: forgets tries that have left the window',
    'shared/auth/code-tries.ts updateItem harmless: the name of a try is used once',
    'shared/auth/dpop-store.ts updateItem once: usedBy',
    'shared/auth/enrolment-link-store.ts putItem once: hash',
    'shared/auth/one-time-codes.ts updateItem harmless: counts an attempt under its name, once',
    'shared/auth/one-time-codes.ts updateItem once: codeHash',
    'shared/auth/trusted-device.ts updateItem harmless: a proof that was presented stays presented',
    'shared/auth/trusted-device.ts updateItem newest: passwordProvedAtMs',
    'shared/sign-in/session-store.ts deleteItem harmless: the token of a session is used once',
    'shared/table/byte-limit.ts updateItem harmless: counts the bytes once more, in the hour of the first copy',
    'shared/table/lease.ts updateItem harmless: a copy after the release holds a lease that ends by itself',
    'shared/table/lease.ts updateItem harmless: removes holders that end here, and no others',
    'shared/table/rate-limit.ts updateItem harmless: counts one request more, at the time of the first copy',
    'shares/apart-store.ts updateItem harmless: a claim is in the set once',
    'shares/apart-store.ts updateItem once: burnedAtMs',
    'shares/payload-store.ts deleteItem once: pk',
    'shares/proof-store.ts updateItem harmless: counts a wrong proof once more, in the hour of the first copy',
    'shares/store.ts putItem once: pk',
    'shares/store.ts updateItem harmless: a claim is never replaced by another',
    'shares/store.ts updateItem harmless: a claim is never replaced by another',
    'shares/store.ts updateItem harmless: the payload is removed for good',
    'subscriptions/billing/store.ts putItem once: pk',
    'subscriptions/billing/store.ts updateItem once: billingLinkVersion',
    'subscriptions/checkout/store.ts updateItem once: checkoutId',
    'subscriptions/clients/store.ts updateNewest newest: updatedAtMs',
    'subscriptions/clients/store.ts updateNewest newest: updatedAtMs',
    'subscriptions/outbox/store.ts updateItem newest: leasedUntilMs',
    'subscriptions/outbox/store.ts updateItem once: due',
    'subscriptions/outbox/store.ts updateItem once: givenUpAtMs',
    'subscriptions/outbox/store.ts updateItem once: leaseId',
    'subscriptions/outbox/store.ts updateItem once: leaseId',
    'subscriptions/plans/store.ts updateItem once: revision',
    'subscriptions/scheduling/sweep-store.ts updateItem once: timerVersion',
    'webhooks/deliveries/store.ts putItem once: pk',
    'webhooks/deliveries/store.ts updateItem once: dueAt',
    'webhooks/deliveries/store.ts updateItem once: made',
    'webhooks/deliveries/store.ts updateItem once: retries',
    'webhooks/endpoints/store.ts updateItem newest: failuresEndedMs',
    'webhooks/endpoints/store.ts updateItem once: failingSinceMs',
    'webhooks/endpoints/store.ts updateItem once: revision',
  ]);
});

type Input = TransactWriteCommandInput & { Key?: { pk: string }; Item?: { pk: string } };

/** Sends a write again; a transaction with another idempotency token, so that only its conditions refuse it. */
function sendAgain(command: string, input: Input): Promise<unknown> {
  switch (command) {
    case 'PutItemCommand':
      return dynamodb.send(new PutCommand(input as never));
    case 'UpdateItemCommand':
      return dynamodb.send(new UpdateCommand(input as never));
    case 'DeleteItemCommand':
      return dynamodb.send(new DeleteCommand(input as never));
    default:
      return dynamodb.send(new TransactWriteCommand({ TransactItems: input.TransactItems }));
  }
}

/** The writes of `work` that succeeded: the command and its input. */
async function writesOf(work: () => Promise<unknown>): Promise<[string, Input][]> {
  const name = 'recorded-writes';
  const writes: [string, Input][] = [];
  dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      const result = await next(args);
      const command = String(context.commandName);
      if (/^(Put|Update|Delete|TransactWrite)/.test(command)) writes.push([command, args.input as Input]);
      return result;
    },
    { step: 'initialize', name },
  );
  await work().finally(() => dynamodb.middlewareStack.remove(name));
  return writes;
}

const prefixOf = ({ Key, Item, TransactItems = [] }: Input): string => {
  const [{ Delete } = {}] = TransactItems;
  return (Key ?? Item ?? (Delete?.Key as { pk: string } | undefined))?.pk.split('#')[0] ?? 'several';
};

test('a write that was made is refused when it is sent again, except those that do no harm', async () => {
  const repeatable = new Set<string>();
  let refused = 0;
  const writing = registeredRoutes().filter(({ route }) => route.method !== 'GET');
  for (const { id } of writing) {
    const request = (await samples[id]?.()) ?? {};
    for (const [command, input] of await writesOf(() => call(id, request))) {
      const isRefused = await sendAgain(command, input).then(
        () => false,
        (error: Error) => /^(ConditionalCheckFailed|TransactionCanceled)Exception$/.test(error.name),
      );
      if (isRefused) refused += 1;
      else repeatable.add(`${command} ${prefixOf(input)}`);
    }
  }
  expect(refused).toBeGreaterThan(15);
  expect([...repeatable].sort()).toEqual([
    // The id of an alert is used once.
    'DeleteItemCommand ALERT',
    // Revokes a device. Its idempotency token prevents that it revokes the device once more.
    'TransactWriteItemsCommand DEVICE',
    // A sighting of the same time.
    'UpdateItemCommand DEVICE',
    // A request is counted once more.
    'UpdateItemCommand RATE',
  ]);
});

/**
 * Answers to writes that are lost, and copies of writes that arrive late. A write is applied and its answer is lost. The copy
 * that the SDK sends meets a conflict with a transaction, as do those that follow, until one comes through. The caller must get
 * the answer of the write that was applied. A copy that arrives after the request must change nothing.
 */

import {
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { registeredRoutes } from '../../../functions/routes.ts';
import * as random from '../../../functions/shared/runtime/random.ts';
import { dynamodb } from '../../../functions/shared/table/client.ts';
import { call } from '../../support/call.ts';
import { transactionConflict } from '../../support/faults.ts';
import { samples } from '../../support/samples/requests.ts';

beforeEach(() => {
  // Neither the service nor the SDK waits before it sends again.
  const spies = [
    vi.spyOn(random, 'jitterMs').mockReturnValue(1),
    vi.spyOn(Math, 'random').mockReturnValue(0),
  ];
  return () => spies.forEach((spy) => void spy.mockRestore());
});

const isWrite = (command: string) => /^(Put|Update|Delete|TransactWrite)/.test(command);

/** The error of DynamoDB for a write of an item that a transaction is writing. */
const conflict = (command: string) =>
  command.startsWith('TransactWrite')
    ? transactionConflict()
    : Object.assign(new Error('Transaction is ongoing for the item'), {
        name: 'TransactionConflictException',
      });

/**
 * Loses the answer to one write, and lets its copies conflict.
 *
 * @param at the index of the write, counted from here.
 * @param conflicts number of copies that conflict.
 */
function loseAnswer(at: number, conflicts: number): { writes(): number; restore(): void } {
  const sent = new WeakMap<object, { command: string; write: string }>();
  const writes = new Set<string>();
  let struck: string | undefined;
  let copies = 0;
  dynamodb.middlewareStack.add(
    (next, context) => (args) => {
      const command = String(context.commandName);
      const { ClientRequestToken: _, ...input } = args.input as { ClientRequestToken?: string };
      const write = JSON.stringify(input);
      if (isWrite(command)) {
        if (!writes.has(write) && writes.size === at) struck = write;
        writes.add(write);
        sent.set(context, { command, write });
      }
      return next(args);
    },
    { step: 'initialize', name: 'named-write' },
  );
  dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      const { command, write } = sent.get(context) ?? {};
      if (command === undefined || write !== struck) return next(args);
      copies += 1;
      if (copies === 1) {
        await next(args);
        throw Object.assign(new Error('The attempt timed out'), { name: 'TimeoutError' });
      }
      if (copies - 1 <= conflicts) throw conflict(command);
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low', name: 'lost-answer' },
  );
  return {
    writes: () => writes.size,
    restore: () => {
      for (const name of ['named-write', 'lost-answer']) dynamodb.middlewareStack.remove(name);
    },
  };
}

/** Sends the sample of an operation. @returns its status, and the number of its writes. */
async function disturbed(id: string, at: number, conflicts: number) {
  const request = (await samples[id]?.()) ?? {};
  const loss = loseAnswer(at, conflicts);
  const { status, body } = await call(id, request).finally(loss.restore);
  return { answer: [status, body?.error], writes: loss.writes() };
}

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
async function writesOf<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result; writes: [string, Input][] }> {
  const name = 'recorded-writes';
  const writes: [string, Input][] = [];
  dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      const result = await next(args);
      const command = String(context.commandName);
      if (isWrite(command)) writes.push([command, args.input as Input]);
      return result;
    },
    { step: 'initialize', name },
  );
  const result = await work().finally(() => dynamodb.middlewareStack.remove(name));
  return { result, writes };
}

const prefixOf = ({ Key, Item, TransactItems = [] }: Input): string => {
  const [{ Delete } = {}] = TransactItems;
  return (Key ?? Item ?? (Delete?.Key as { pk: string } | undefined))?.pk.split('#')[0] ?? 'several';
};

const changes = registeredRoutes().filter(({ route }) => route.method !== 'GET');

/** The writes that are made again when they are sent again. */
const repeatable = new Set<string>();

describe.each(changes)('$id', ({ id }) => {
  test('a write that was applied, whose answer was lost, and whose copies met a conflict, gets the answer of success', async () => {
    const request = (await samples[id]?.()) ?? {};
    const { result, writes } = await writesOf(() => call(id, request));
    expect(result.status).toBeLessThan(400);
    for (const [command, input] of writes) {
      const isRefused = await sendAgain(command, input).then(
        () => false,
        (error: Error) => /^(ConditionalCheckFailed|TransactionCanceled)Exception$/.test(error.name),
      );
      if (!isRefused) repeatable.add(`${command} ${prefixOf(input)}`);
    }
    const answer = [result.status, result.body?.error];
    for (let at = 0; at < writes.length; at += 1) expect((await disturbed(id, at, 2)).answer).toEqual(answer);
  });
});

test('a write that was made is refused when it is sent again, except those that do no harm', () => {
  expect([...repeatable].sort()).toEqual([
    // The id of an alert is used once.
    'DeleteItemCommand ALERT',
    // The token of a session is used once, and the same session is stored again.
    'DeleteItemCommand CONSOLESESSION',
    'PutItemCommand CONSOLESESSION',
    // Revokes a device. Its idempotency token prevents that it revokes the device once more.
    'TransactWriteItemsCommand DEVICE',
    // A sighting of the same time.
    'UpdateItemCommand DEVICE',
    // A request is counted once more.
    'UpdateItemCommand RATE',
    // A claim of a link is prolonged by who has it.
    'UpdateItemCommand REVIEWCLAIM',
  ]);
});

describe('a review whose write was applied, and its answer lost', () => {
  const id = 'links.review-decide';
  const last = async () => (await disturbed(id, Number.POSITIVE_INFINITY, 0)).writes - 1;

  test('is answered as decided when its copies meet more conflicts than the retries of a refused write', async () => {
    expect((await disturbed(id, await last(), 7)).answer).toEqual([200, undefined]);
  });

  test('is a 500, and no 409 that says that nothing was done, when its copies never come through', async () => {
    expect((await disturbed(id, await last(), Number.POSITIVE_INFINITY)).answer).toEqual([
      500,
      'server_error',
    ]);
  });
});

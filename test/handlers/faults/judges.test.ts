import { randomUUID } from 'node:crypto';
import { limitAttempts } from '../../../functions/shared/runtime/attempt-limit.ts';
import { secondMs } from '../../../functions/shared/runtime/clock.ts';
import { dynamodb } from '../../../functions/shared/table/client.ts';
import { getItem, type Item } from '../../../functions/shared/table/table.ts';
import { type Fault, FaultyConnection } from '../../faults/connection.ts';
import type { FaultKind } from '../../faults/kinds.ts';
import { runUnderFault, runWithoutFaults } from '../../faults/run.ts';
import type { Scenario } from '../../faults/scenario.ts';
import { putItem, updateItem } from '../../support/call.ts';

const connection = new FaultyConnection();
afterAll(() => connection.close());

/** Counts an item on by one. */
type Count = (item: Item, token: string) => Promise<unknown>;

/** A scenario of an endpoint that counts an item on; the newer change does the same. */
function counting(count: Count): Scenario {
  let key = { pk: '', sk: '' };
  const read = async () => (await getItem(key)) ?? { ...key, revision: 0 };
  return {
    name: 'planted',
    id: 'planted',
    statuses: [200],
    ready: async () => {
      key = { pk: `USER#${randomUUID()}`, sk: 'PROFILE' };
      await putItem({ ...key, revision: 1 });
      return { query: { token: randomUUID() } };
    },
    send: async ({ query }) => {
      const answer = { headers: {}, body: {}, text: '' };
      try {
        await count(await read(), query?.token ?? '');
        return { ...answer, status: 200 };
      } catch {
        return { ...answer, status: 500 };
      }
    },
    alone: false,
    rules: { change: async () => count(await read(), randomUUID()) },
    isDocumented: () => true,
  };
}

const next = ({ revision }: Item) => Number(revision) + 1;

const writes: Record<string, Count> = {
  'puts without a condition': (item) => putItem({ ...item, revision: next(item) }),
  'adds without a condition': ({ pk, sk }) =>
    updateItem(
      { pk, sk },
      { UpdateExpression: 'ADD revision :one', ExpressionAttributeValues: { ':one': 1 } },
    ),
  'writes under a condition that it does not recognize as its own': async ({ pk, sk, ...item }) => {
    const outcome = await updateItem(
      { pk, sk },
      {
        UpdateExpression: 'SET revision = :next',
        ConditionExpression: 'revision = :old',
        ExpressionAttributeValues: { ':next': next({ pk, sk, ...item }), ':old': item.revision },
      },
    );
    if (!outcome.done) throw new Error('conflict');
  },
  'writes under a condition and a token': async (item, token) => {
    if (item.token === token) return;
    const outcome = await updateItem(
      { pk: item.pk, sk: item.sk },
      {
        UpdateExpression: 'SET revision = :next, #token = :token',
        ConditionExpression: 'revision = :old',
        ExpressionAttributeNames: { '#token': 'token' },
        ExpressionAttributeValues: { ':next': next(item), ':old': item.revision, ':token': token },
      },
    );
    if (!outcome.done && outcome.refused?.token !== token) throw new Error('conflict');
  },
};

async function problems(name: string, kind: FaultKind, operation: string): Promise<string> {
  const count = writes[name];
  if (count === undefined) throw new Error(`There is no ${name}`);
  const scenario = counting(count);
  const baseline = await runWithoutFaults(scenario, connection);
  const fault: Fault = { kind, call: { service: 'table', operation, of: 'USER', nth: 0 } };
  const outcome = await runUnderFault(scenario, fault, baseline, connection);
  expect(outcome.struck).toBe(true);
  return outcome.problems.join('\n');
}

test('finds that a late put without a condition overwrites a newer change', async () => {
  expect(await problems('puts without a condition', 'late', 'PutItem')).toContain(
    'applied late changed revision',
  );
});

test('finds that an update without a condition is applied twice', async () => {
  expect(await problems('adds without a condition', 'lost', 'UpdateItem')).toContain('too much in the table');
});

test('finds that a write is done twice when its error is followed by a retry', async () => {
  const name = 'writes under a condition that it does not recognize as its own';
  expect(await problems(name, 'silenced', 'UpdateItem')).toContain('too much in the table');
});

test('finds nothing wrong with a write that has a condition and a token', async () => {
  const name = 'writes under a condition and a token';
  for (const kind of [
    'refused',
    'lost',
    'silenced',
    'killed',
    'late',
    'late after error',
    'throttled',
    'cut',
  ] as const)
    expect(await problems(name, kind, 'UpdateItem'), kind).toBe('');
});

test('finds an answer whose body never ends when nothing limits the call', async () => {
  dynamodb.middlewareStack.remove('attemptLimit');
  try {
    const found = await problems('writes under a condition and a token', 'cut', 'GetItem');
    expect(found).toContain('waits for the rest');
  } finally {
    limitAttempts(dynamodb, 3 * secondMs);
  }
});

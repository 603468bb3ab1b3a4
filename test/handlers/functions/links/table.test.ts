import { afterEach, describe, expect, test, vi } from 'vitest';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import * as clock from '../../../../functions/shared/runtime/clock.ts';
import { dynamodb, getItem, queryItems } from '../../../../functions/shared/table/table.ts';
import { type Answered, call } from '../../../support/call.ts';
import { failTable } from '../../../support/faults.ts';
import {
  decide,
  goodLink,
  linkCall,
  newParties,
  type Parties,
  submit,
  submittedId,
} from '../../../support/samples/links.ts';
import { newOperatorKey } from '../../../support/tenants.ts';

afterEach(() => {
  vi.useRealTimers();
});

/** The items of the parties' links, and of the history of one. */
async function held({ applicationId, userId }: Parties, linkId?: string) {
  return {
    links: await queryItems(keys.linkPartition(applicationId, userId)),
    history: linkId === undefined ? [] : await queryItems(keys.historyPartition(linkId)),
  };
}

/** Loses the answer to the n-th call to the table. */
async function withLost(n: number, work: () => Promise<Answered>): Promise<Answered> {
  const lost = new Error('The connection is lost');
  let index = 0;
  const name = 'lost';
  dynamodb.middlewareStack.add(
    (next) => async (args) => {
      const isLost = index === n;
      index += 1;
      const result = await next(args);
      if (isLost) throw lost;
      return result;
    },
    { step: 'initialize', name },
  );
  try {
    return await work();
  } finally {
    dynamodb.middlewareStack.remove(name);
  }
}

describe('a call to the table whose answer is lost', () => {
  test.each<[string, (parties: Parties, id: string, operator: string) => Promise<Answered>]>([
    ['update', (parties, id) => call('links.update', linkCall(parties, id, { title: 'New' }))],
    ['removal', (parties, id) => call('links.remove', linkCall(parties, id))],
    ['decision', (_, id, operator) => decide(operator, id, { decision: 'verified', revision: 1 })],
  ])('leaves the %s together with its history entry, or neither', async (_, act) => {
    for (let n = 0; ; n += 1) {
      const [parties, operator] = await Promise.all([newParties(), newOperatorKey()]);
      const id = await submittedId(parties);
      const before = await held(parties, id);
      const answer = await withLost(n, () => act(parties, id, operator));
      const after = await held(parties, id);
      const isDone = after.links[0]?.revision !== before.links[0]?.revision;
      expect(after.history).toHaveLength(isDone ? 1 : 0);
      if (answer.status === 200) {
        expect(isDone).toBe(true);
        expect(n).toBeGreaterThanOrEqual(3);
        break;
      }
      expect(answer.body.error).toBe('server_error');
    }
  });
});

test('a lasting conflict gets 409 and writes nothing', async () => {
  const [parties, operator] = await Promise.all([newParties(), newOperatorKey()]);
  const id = await submittedId(parties);
  const before = await held(parties, id);
  const conflict = Object.assign(new Error('conflict'), {
    name: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
  });
  // A request gives up after some seconds; here each attempt takes one.
  let elapsedMs = 0;
  vi.mocked(clock.elapsedMs).mockImplementation(() => elapsedMs);
  const fault = failTable((command) => {
    if (!command.startsWith('TransactWrite')) return undefined;
    elapsedMs += 1_000;
    return conflict;
  });
  try {
    for (const answer of await Promise.all([
      call('links.update', linkCall(parties, id, { title: 'New' })),
      call('links.remove', linkCall(parties, id)),
      decide(operator, id, { decision: 'verified', revision: 1 }),
    ]))
      expect([answer.status, answer.body.error]).toEqual([409, 'conflict']);
  } finally {
    fault.restore();
  }
  expect(await held(parties, id)).toEqual(before);
});

test('the idempotency record contains nothing of the request', async () => {
  const parties = await newParties();
  await submit(parties, [{ ...goodLink, title: 'Very particular' }], {
    headers: { 'idempotency-key': 'key-7' },
  });
  const record = JSON.stringify(await getItem(keys.idempotency(parties.applicationId, 'key-7')));
  expect(record).toContain('lnk_');
  expect(record).not.toContain('particular');
  expect(record.length).toBeLessThan(500);
});

import { describe, expect, test } from 'vitest';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import type { Status } from '../../../../functions/subscriptions/state/subscription.ts';
import { call } from '../../../support/call.ts';
import { putFor, subscriptionRecord, withSubscriptions } from '../../../support/subscriptions/records.ts';
import { asSeller, current, newSeller } from '../../../support/subscriptions/requests.ts';
import type { Tenant } from '../../../support/tenants.ts';

const list = (seller: Tenant, query: Record<string, string>) =>
  call('subscriptions.list', { headers: asSeller(seller), query });
const ids = (subscriptions: { _id: string }[]) => subscriptions.map(({ _id }) => _id);

describe('the history of a client', () => {
  test('lists all subscriptions of the client, newest first, and no other records', async () => {
    const { seller, externalId, ids: made } = await withSubscriptions('cancelled', 'active', 'pending');
    const client = { externalId, email: 'ann@example.com' };
    await call('subscriptions.client-upsert', { headers: asSeller(seller), body: client });
    const { status, body } = await list(seller, { externalId });
    expect([status, ids(body.subscriptions)]).toEqual([200, made.toReversed()]);
    expect(body).not.toHaveProperty('nextCursor');
    const { subscription } = (await current(seller, externalId)).body;
    expect(body.subscriptions[1]).toEqual(subscription);
  });

  test('comes in pages without gaps or repeats', async () => {
    const { seller, externalId, ids: made } = await withSubscriptions(...Array<Status>(7).fill('cancelled'));
    const seen: string[] = [];
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await list(seller, { externalId, limit: '3', ...defined({ cursor }) });
      seen.push(...ids(body.subscriptions));
      sizes.push(body.subscriptions.length);
      cursor = body.nextCursor;
    } while (cursor !== undefined);
    expect([seen, sizes]).toEqual([made.toReversed(), [3, 3, 1]]);
  });

  test('is empty for an unknown client, and for a client of another application', async () => {
    const { externalId } = await withSubscriptions('active');
    const stranger = await newSeller();
    for (const id of [externalId, 'nobody'])
      expect((await list(stranger, { externalId: id })).body).toEqual({ subscriptions: [] });
  });
});

describe('a search by reference number', () => {
  test('finds the subscription, however the number is typed', async () => {
    const seller = await newSeller();
    const { referenceNumber, subscriptionId } = await putFor(seller);
    for (const typed of [referenceNumber, ` ${referenceNumber.toLowerCase().replace('-', ' ')} `])
      expect(ids((await list(seller, { referenceNumber: typed })).body.subscriptions)).toEqual([
        subscriptionId,
      ]);
  });

  test('finds nothing for a number that is unknown or of another application', async () => {
    const { referenceNumber } = await putFor(await newSeller());
    const stranger = await newSeller();
    const unknown = subscriptionRecord().referenceNumber;
    for (const number of [referenceNumber, unknown])
      expect((await list(stranger, { referenceNumber: number })).body).toEqual({ subscriptions: [] });
  });

  test('refuses a mistyped number and says so', async () => {
    const seller = await newSeller();
    const { referenceNumber } = await putFor(seller);
    const wrong = referenceNumber.slice(0, -1) + (referenceNumber.endsWith('7') ? '8' : '7');
    for (const typed of [wrong, '']) {
      const { status, body } = await list(seller, { referenceNumber: typed });
      expect([status, body.details]).toEqual([400, { referenceNumber: expect.stringContaining('mistyped') }]);
    }
  });

  test('refuses a number or a client together with another filter, and names the fields', async () => {
    const seller = await newSeller();
    const { referenceNumber, externalId } = await putFor(seller);
    for (const query of [
      { externalId, referenceNumber },
      { externalId, status: 'active' },
      { referenceNumber, from: '2026-01-01', to: '2026-02-01' },
      { externalId, planId: 'pln_1' },
    ]) {
      const { status, body } = await list(seller, query as unknown as Record<string, string>);
      expect([status, Object.keys(body.details)]).toEqual([400, Object.keys(query)]);
    }
  });
});

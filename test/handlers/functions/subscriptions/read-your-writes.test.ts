import { expect, test } from 'vitest';
import { subscriptionQueries } from '../../../../functions/subscriptions/engine/subscription-queries.ts';
import { call } from '../../../support/call.ts';
import {
  act,
  asSeller,
  callFor,
  current,
  details,
  good,
  newClient,
  newSeller,
  subscribe,
  subscribed,
} from '../../../support/subscriptions/requests.ts';

/** Every read finds what the handlers have written, with the same content. */
test('a new subscription is immediately current, in the history, and found by reference number and id', async () => {
  const seller = await newSeller();
  const externalId = await newClient(seller);
  const created = good(await subscribe(seller, { body: { externalId } })).subscription;
  const { subscription } = good(await current(seller, externalId));
  expect(subscription).toMatchObject({
    ...created,
    planId: { _id: created.planId },
    externalId,
    access: 'none',
  });

  const headers = asSeller(seller);
  for (const query of [{ externalId }, { referenceNumber: created.referenceNumber }])
    expect(good(await call('subscriptions.list', { headers, query })).subscriptions).toEqual([subscription]);

  const { invoices, timeline, ...rest } = good(await details(seller, created._id)).subscription;
  expect(rest).toEqual(subscription);
  const number = `INV-${created.referenceNumber.slice(4)}-1`;
  expect(invoices).toMatchObject([
    { number, status: 'open', total: 9.99, paymentReference: created.referenceNumber },
  ]);
  expect(timeline).toMatchObject([{ to: 'pending', by: 'application', invoices: [number] }]);
  const read = good(await call('subscriptions.invoice-read', callFor(seller, invoices[0]._id)));
  expect(read).toEqual({ invoice: invoices[0] });
  expect(await subscriptionQueries.get(seller.applicationId, created._id)).not.toHaveProperty('pk');
});

test('a pending subscription does not hide the trial until it is paid', async () => {
  const seller = await newSeller();
  const { id, externalId } = await subscribed(seller, 'trialing');
  const pendingId = good(await subscribe(seller, { body: { externalId } })).subscription._id;
  const currentSubscription = async () => good(await current(seller, externalId)).subscription;
  expect(await currentSubscription()).toMatchObject({
    _id: id,
    status: 'trialing',
    access: 'full',
    entitled: true,
  });
  good(await act(seller, 'activate', pendingId));
  expect(await currentSubscription()).toMatchObject({ _id: pendingId, status: 'active', access: 'full' });
});

test('a paid subscription is entitled; a cancelled one is not, and stays current while there is no other', async () => {
  const seller = await newSeller();
  const { id, externalId } = await subscribed(seller, 'active');
  const currentSubscription = async () => good(await current(seller, externalId)).subscription;
  expect(await currentSubscription()).toMatchObject({ _id: id, access: 'full', entitled: true });
  good(await act(seller, 'pause', id));
  expect(await currentSubscription()).toMatchObject({
    status: 'paused',
    access: 'none',
    pausedAt: expect.any(String),
  });
  good(await act(seller, 'resume', id));
  const resumed = await currentSubscription();
  expect(resumed).toMatchObject({ status: 'active', access: 'full' });
  expect(resumed).not.toHaveProperty('pausedAt');
  good(await act(seller, 'cancel', id));
  expect(await currentSubscription()).toMatchObject({
    _id: id,
    status: 'cancelled',
    access: 'none',
    entitled: false,
    endReason: 'cancelled',
  });
});

/** Other writes that come between the reading and the writing of a payment. */
import { expect, test, vi } from 'vitest';
import * as clock from '../../../../../functions/shared/runtime/clock.ts';
import { minuteMs } from '../../../../../functions/shared/runtime/duration.ts';
import { pausedAt } from '../../../../support/interruptions/pause.ts';
import { goodPayment, recordPayment } from '../../../../support/samples/finance.ts';
import { act, good, subscribe } from '../../../../support/subscriptions/requests.ts';
import { newSubscription, onTestClock } from '../../../../support/subscriptions/steps.ts';
import { expectSound, storedSubscription } from '../../../../support/subscriptions/stored-state.ts';

onTestClock();

test('a payment that meets another change of its subscription is applied to the subscription after it', async () => {
  const { seller, id, externalId } = await newSubscription('pending');
  const { result, isReached } = await pausedAt(
    'TransactWriteItemsCommand',
    () => act(seller, 'activate', id),
    async () =>
      good(await act(seller, 'update', id, { autoRenew: false, reason: 'The client asked for it' })),
  );
  expect([isReached, result.status]).toEqual([true, 200]);
  const { subscription } = await storedSubscription(seller, externalId);
  expect(subscription).toMatchObject({ status: 'active', autoRenew: false, openInvoices: [] });
  await expectSound(seller, externalId);
});

test('a payment whose invoice gets no number for too many others is a conflict, and the repeat is applied', async () => {
  // The payment of a trial issues its invoice, with the next number of the seller.
  const { seller, id, externalId } = await newSubscription('trialing', 'none', {
    invoices: { numbering: 'seller' },
  });
  const body = goodPayment({ reference: undefined, subscriptionId: id });
  const pay = () => recordPayment(seller, body);
  const { result, isReached } = await pausedAt('TransactWriteItemsCommand', pay, async () => {
    good(await subscribe(seller));
    // The time for retries is over.
    vi.spyOn(clock, 'elapsedMs').mockReturnValue(minuteMs);
  });
  expect([isReached, result.status, result.body.error]).toEqual([true, 409, 'conflict']);
  const { subscription, timeline } = await storedSubscription(seller, externalId);
  expect(subscription.status).toBe('trialing');
  expect(timeline.map(({ event }) => event)).not.toContain('payment_unapplied');
  const { payment } = good(await pay());
  expect(payment).toMatchObject({ status: 'applied', waiting: 0 });
  await expectSound(seller, externalId);
});

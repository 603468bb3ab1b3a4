import { expect, test } from 'vitest';
import { withCredits } from '../../../../../functions/subscriptions/commands/client-subscriptions-store.ts';
import { commandDeps } from '../../../../../functions/subscriptions/commands/execute-command.ts';
import { subscriptionStore } from '../../../../../functions/subscriptions/commands/subscription-store.ts';
import { appliedChange, decide } from '../../../../../functions/subscriptions/machine/decide.ts';
import { transitionContext } from '../../../../../functions/subscriptions/machine/transition-context.ts';
import { transfer } from '../../../../support/payments/payments.ts';
import { newSeller } from '../../../../support/subscriptions/requests.ts';
import { brought, onTestClock } from '../../../../support/subscriptions/steps.ts';
import { clientOf, storedSubscription } from '../../../../support/subscriptions/stored-state.ts';

onTestClock();

test('the release of a part that a concurrent write has released is a conflict, and no error', async () => {
  const seller = await newSeller();
  const { id, externalId } = await brought(seller, 'pending');
  await transfer(seller, id, 400);
  const [{ subscription, invoices }, client] = await Promise.all([
    storedSubscription(seller, externalId),
    clientOf(seller, externalId),
  ]);
  if (client === undefined) throw new Error('There is no client');
  const context = transitionContext({ event: 'cancel' }, { by: 'application', client }, commandDeps);
  const change = appliedChange(decide(subscription, context));
  if (change === undefined) throw new Error('The cancellation is refused');
  const write = () => subscriptionStore.write([change], invoices, withCredits(client, [change]));
  expect([await write(), await write()]).toEqual([true, false]);
});

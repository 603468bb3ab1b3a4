import type { Call } from '../../support/call.ts';
import {
  act,
  callFor,
  good,
  newPlan,
  newSeller,
  subscribe,
  subscribed,
} from '../../support/subscriptions/requests.ts';
import type { Tenant } from '../../support/tenants.ts';
import { row } from './case.ts';

/** A change of an active subscription of 9.99 a month to a plan of another price. */
const changing =
  (price: number, more: object = {}, before?: (seller: Tenant, id: string) => Promise<unknown>) =>
  async (): Promise<Call> => {
    const seller = await newSeller();
    const { id } = await subscribed(seller, 'active');
    await before?.(seller, id);
    return callFor(seller, id, { planId: await newPlan(seller, { price }), ...more });
  };

/** A trial keeps its plan until the first payment. */
async function onTrial(): Promise<Call> {
  const seller = await newSeller();
  const { subscription } = good(await subscribe(seller, { trialPeriodDays: 14 }));
  return callFor(seller, subscription._id, { planId: await newPlan(seller, { price: 19.99 }) });
}

const planned = async (seller: Tenant, id: string) =>
  good(await act(seller, 'change', id, { planId: await newPlan(seller, { price: 1 }) }));

/** Changes of plan, and their previews. */
export const planChangeCases = [
  row('subscriptions.change', 'an upgrade', changing(19.99)),
  row('subscriptions.change', 'a downgrade at once', changing(4.99, { when: 'now' })),
  row('subscriptions.change', 'at the end', changing(4.99)),
  row('subscriptions.change', 'at the end, planned otherwise', changing(4.99, {}, planned)),
  row('subscriptions.change', 'a trial', onTrial),
  row('subscriptions.change-preview', 'an upgrade', changing(19.99)),
];

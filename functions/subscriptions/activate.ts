import { apiKeyCaller } from '../shared/bearer.ts';
import type { Input, Output } from '../shared/contract.ts';
import { endpoint } from '../shared/endpoint.ts';
import { ApiError } from '../shared/errors.ts';
import { type Asking, type CommandDeps, carryOut, commandDeps, refused } from './command.ts';
import { routes } from './routes.ts';
import { shownChange } from './shown.ts';
import type { Subscription } from './subscription.ts';

/**
 * Takes note that a payment arrived: of one invoice if it is named, of all that are open otherwise. Where nothing is open it
 * does nothing, so that a repeat buys no second term.
 *
 * @throws ApiError `not_found` when the subscription has no such invoice.
 */
export async function activateSubscription(
  { params: { id }, body: { invoiceId }, caller, admitted }: Input<typeof routes.activate>,
  deps: CommandDeps,
): Promise<Output<typeof routes.activate>> {
  const subscription = await carryOut(
    { ...caller, id, admitted },
    ({ subscription }) =>
      invoiceId === undefined
        ? { event: 'payment', paid: subscription.open.map(({ n }) => n) }
        : paymentOf(subscription, invoiceId, deps),
    deps,
  );
  return { subscription: shownChange(subscription) };
}

async function paymentOf(
  subscription: Subscription,
  invoiceId: string,
  { reading }: CommandDeps,
): Promise<Asking> {
  const open = subscription.open.find((invoice) => invoice.invoiceId === invoiceId);
  if (open !== undefined) return { event: 'payment', paid: [open.n] };
  const invoice = await reading.invoice(subscription.applicationId, invoiceId);
  if (invoice?.subscriptionId !== subscription.subscriptionId) throw new ApiError('not_found');
  if (invoice.status === 'paid') return 'holds';
  throw refused(subscription);
}

export const handler = endpoint(routes.activate, activateSubscription, commandDeps, apiKeyCaller);

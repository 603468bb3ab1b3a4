import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { toChangeResponse } from './api/present.ts';
import {
  type Command,
  type CommandDeps,
  commandDeps,
  executeCommand,
  refused,
} from './engine/execute-command.ts';
import type { Subscription } from './lifecycle/subscription.ts';
import { routes } from './routes.ts';

/**
 * Takes note that a payment arrived: of one invoice if it is named, of all that are open otherwise. Where nothing is open it
 * does nothing, so that a repeat buys no second term.
 *
 * @throws ApiError `not_found` when the subscription has no such invoice.
 */
export async function activateSubscription(
  { params: { id }, body: { invoiceId }, caller, rateLimitPassed }: Input<typeof routes.activate>,
  deps: CommandDeps,
): Promise<Output<typeof routes.activate>> {
  const subscription = await executeCommand(
    { ...caller, id, rateLimitPassed },
    ({ subscription }) =>
      invoiceId === undefined
        ? { event: 'payment', paid: subscription.openInvoices.map(({ n }) => n) }
        : paymentOf(subscription, invoiceId, deps),
    deps,
  );
  return { subscription: toChangeResponse(subscription) };
}

async function paymentOf(
  subscription: Subscription,
  invoiceId: string,
  { reading }: CommandDeps,
): Promise<Command> {
  const open = subscription.openInvoices.find((invoice) => invoice.invoiceId === invoiceId);
  if (open !== undefined) return { event: 'payment', paid: [open.n] };
  const invoice = await reading.getInvoice(subscription.applicationId, invoiceId);
  if (invoice?.subscriptionId !== subscription.subscriptionId) throw new ApiError('not_found');
  if (invoice.status === 'paid') return 'holds';
  throw refused(subscription);
}

export const handler = endpoint(routes.activate, activateSubscription, commandDeps, apiKeyCaller);

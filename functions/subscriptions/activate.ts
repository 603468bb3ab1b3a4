import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { toChangeResponse } from './api/present.ts';
import {
  type CommandDeps,
  type CommandOrUnchanged,
  commandDeps,
  executeCommand,
  invalidTransition,
} from './engine/execute-command.ts';
import type { Subscription } from './lifecycle/subscription.ts';
import { routes } from './routes.ts';

/**
 * Records a payment outside a gateway: of the given invoice, or of all open invoices. Without an open invoice
 * it changes nothing, so that a repeated request does not pay for a second term.
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
  { queries }: CommandDeps,
): Promise<CommandOrUnchanged> {
  const openInvoice = subscription.openInvoices.find((invoice) => invoice.invoiceId === invoiceId);
  if (openInvoice !== undefined) return { event: 'payment', paid: [openInvoice.n] };
  const invoice = await queries.getInvoice(subscription.applicationId, invoiceId);
  if (invoice?.subscriptionId !== subscription.subscriptionId) throw new ApiError('not_found');
  if (invoice.status === 'paid') return { kind: 'unchanged' };
  throw invalidTransition(subscription);
}

export const handler = endpoint(routes.activate, activateSubscription, commandDeps, apiKeyCaller);

import { statedMinor } from '../ledger/stated-amount.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import type { Input } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/reallocate.ts';
import { executeDecision } from './settle/decision-request.ts';
import { recordReallocation } from './settle/reallocate.ts';
import { foundPayment } from './settle/unapplied.ts';

/** Moves the money of a payment to other invoices. */
function reallocatePayment(request: Input<typeof route>) {
  const { invoices, reason } = request.body;
  return executeDecision(request, 'payment.reallocated', async (move) => {
    const { currency } = await foundPayment(move.applicationId, move.paymentId);
    const parts = invoices.map(({ invoiceId, amount }, i) => ({
      invoiceId,
      amountMinor: statedMinor(amount, currency, `invoices[${i}].amount`),
    }));
    return { payment: await recordReallocation(move, parts, reason) };
  });
}

export const handler = endpoint(route, reallocatePayment, sellerCaller);

import { statedMinor } from '../ledger/stated-amount.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { endpoint, type Input } from '../shared/lambda/endpoint.ts';
import { reallocateRoute } from './contracts/decisions.ts';
import { executeDecision } from './settle/decision-request.ts';
import { recordReallocation } from './settle/reallocate.ts';

export function reallocatePayment(request: Input<typeof reallocateRoute>) {
  const { invoices, reason } = request.body;
  const partsIn = (currency: string) =>
    invoices.map(({ invoiceId, amount }, i) => ({
      invoiceId,
      amountMinor: statedMinor(amount, currency, `invoices[${i}].amount`),
    }));
  return executeDecision(request, 'payment.reallocated', async (move) => {
    try {
      return { payment: await recordReallocation(move, partsIn, reason) };
    } catch (error) {
      // Its first transactions may be done.
      throw error instanceof ApiError && error.code === 'conflict' ? new ApiError('money_moving') : error;
    }
  });
}

export const handler = endpoint(reallocateRoute, reallocatePayment, sellerCaller);

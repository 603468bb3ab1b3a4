import { statedMinor } from '../ledger/stated-amount.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Input } from '../shared/lambda/endpoint.ts';
import { reverseRoute } from './contracts/decisions.ts';
import { recordReversal } from './settle/claims.ts';
import { executeDecision } from './settle/decision-request.ts';
import { foundPayment } from './settle/unapplied.ts';

export function reversePayment(request: Input<typeof reverseRoute>) {
  const { amount, reason } = request.body;
  return executeDecision(request, 'payment.reversed', async (move) => {
    if (amount === undefined) return recordReversal(move, undefined, reason);
    const { currency } = await foundPayment(move.applicationId, move.paymentId);
    return recordReversal(move, { totalMinor: statedMinor(amount, currency) }, reason);
  });
}

export const handler = endpoint(reverseRoute, reversePayment, sellerCaller);

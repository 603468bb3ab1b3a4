import { sellerCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Input } from '../shared/lambda/endpoint.ts';
import { applyRoute } from './contracts/payments.ts';
import { executeDecision } from './settle/decision-request.ts';
import { applyUnapplied } from './settle/unapplied.ts';

export function applyPayment(request: Input<typeof applyRoute>) {
  const { invoiceId, subscriptionId = '' } = request.body;
  const target = invoiceId === undefined ? { subscriptionId } : { invoiceId };
  return executeDecision(request, 'payment.applied', (move) => applyUnapplied(move, target));
}

export const handler = endpoint(applyRoute, applyPayment, sellerCaller);

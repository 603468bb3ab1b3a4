import { sellerCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Input } from '../shared/lambda/endpoint.ts';
import { returnRoute } from './contracts/decisions.ts';
import { executeDecision } from './settle/decision-request.ts';
import { recordReturn } from './settle/unapplied.ts';

/** Records that the seller sent a payment back. It moves no money: the seller does that at their bank. */
export const returnPayment = (request: Input<typeof returnRoute>) =>
  executeDecision(request, 'payment.returned', (move) => recordReturn(move, request.body?.reason));

export const handler = endpoint(returnRoute, returnPayment, sellerCaller);

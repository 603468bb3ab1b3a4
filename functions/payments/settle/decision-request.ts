import type { Payment } from '../../ledger/payment.ts';
import { toPaymentResponse } from '../../ledger/present-payment.ts';
import { actionWrites, type NewAction } from '../../shared/audit/write.ts';
import type { Input } from '../../shared/lambda/endpoint.ts';
import type { returnRoute } from '../contracts/decisions.ts';
import type { PaymentToMove } from './unapplied.ts';

type DecisionRequest = Pick<Input<typeof returnRoute>, 'params' | 'caller' | 'rateLimitPassed'> & {
  readonly body: object;
};

/**
 * Executes a request that decides about a payment, and responds with the payment after it. An operator who acts for the seller leaves a
 * record of the action.
 */
export async function executeDecision(
  { params: { id }, body, caller, rateLimitPassed }: DecisionRequest,
  action: NewAction['action'],
  decide: (move: PaymentToMove) => Promise<{ readonly payment: Payment }>,
): Promise<{ payment: ReturnType<typeof toPaymentResponse> }> {
  await rateLimitPassed;
  const { applicationId } = caller;
  const reason = 'reason' in body && typeof body.reason === 'string' ? body.reason : undefined;
  const audit = actionWrites(caller, { action, id, reason });
  const { payment } = await decide({ applicationId, paymentId: id, by: 'application', audit });
  return { payment: toPaymentResponse(payment) };
}

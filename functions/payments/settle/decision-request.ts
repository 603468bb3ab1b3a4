import type { Payment } from '../../ledger/payment.ts';
import { toPaymentResponse } from '../../ledger/present-payment.ts';
import { actionWrites, type NewAction } from '../../shared/audit/write.ts';
import type { SellerCaller } from '../../shared/contract/callers.ts';
import type { PaymentToMove } from './unapplied.ts';

interface DecisionRequest {
  readonly params: { readonly id: string };
  readonly body?: (Readonly<Record<string, unknown>> & { readonly reason?: string | undefined }) | undefined;
  readonly caller: SellerCaller;
  readonly rateLimitPassed: Promise<void>;
}

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
  const audit = actionWrites(caller, { action, id, reason: body?.reason });
  const { payment } = await decide({ applicationId, paymentId: id, by: 'application', audit });
  return { payment: toPaymentResponse(payment) };
}

import { type AuditWrite, auditWrite, formerValues } from '../../shared/audit/write.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { Operator } from '../../shared/contract/operator-scopes.ts';
import { clock, optionalIsoTime } from '../../shared/runtime/clock.ts';
import type { Subscription } from '../record/subscription.ts';

/**
 * The audit record of a change of a subscription by an operator, for the transaction of the change.
 *
 * @param former the subscription before it.
 * @param reason in the words of the operator, unless they have said why for the request.
 */
export function changeAudit(
  operator: Operator,
  former: Subscription | undefined,
  next: Subscription,
  reason: string | undefined,
): AuditWrite[] {
  const { subscriptionId: id, applicationId, revision } = next;
  const before = (former && formerValues(auditedFields(former), auditedFields(next), auditedNames)) ?? {};
  return [
    auditWrite(
      { id, applicationId },
      {
        ...operator,
        ...defined({ reason }),
        before,
        atMs: clock.nowMs(),
        action: 'subscription.changed',
        revision,
      },
    ),
  ];
}

const auditedFields = ({
  status,
  cancelAtPeriodEnd,
  autoRenew,
  trialEndMs,
  termEndMs,
  plan,
}: Subscription) => ({
  status,
  cancelAtPeriodEnd,
  autoRenew,
  trialEnd: optionalIsoTime(trialEndMs),
  endDate: optionalIsoTime(termEndMs),
  planId: plan.planId,
  quantity: plan.quantity,
});

const auditedNames = [
  'status',
  'cancelAtPeriodEnd',
  'autoRenew',
  'trialEnd',
  'endDate',
  'planId',
  'quantity',
] as const;

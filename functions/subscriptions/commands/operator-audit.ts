import { type AuditWrite, auditWrite } from '../../shared/audit/write.ts';
import type { Operator } from '../../shared/contract/operator-scopes.ts';
import { clock } from '../../shared/runtime/clock.ts';
import type { Subscription } from '../record/subscription.ts';

/** The change of an operator: why, and the former values of the fields that it changes. */
interface OperatorChange {
  reason: string;
  before: Readonly<Record<string, unknown>>;
}

/**
 * The audit record of a change of a subscription by an operator, for the transaction of the change.
 *
 * @param current the subscription before it.
 */
export function changeAudit(
  operator: Operator,
  { subscriptionId: id, applicationId }: Subscription,
  { reason, before }: OperatorChange,
): (next: Subscription) => AuditWrite {
  const atMs = clock.nowMs();
  const object = { id, applicationId };
  return ({ revision }) =>
    auditWrite(object, { ...operator, atMs, reason, action: 'subscription.changed', revision, before });
}

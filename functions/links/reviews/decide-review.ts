import { actionWrite } from '../../shared/audit/write.ts';
import { defined } from '../../shared/contract/defined.ts';
import type { Operator } from '../../shared/contract/operator-scopes.ts';
import type { ReviewDecision } from '../contracts/reviews.ts';
import type { Link } from '../trust-links/link.ts';
import { linkStore } from '../trust-links/store.ts';
import { applyDecision } from '../trust-links/transitions.ts';
import type { claimEnd } from './claim-store.ts';

/**
 * Verifies or rejects a link, or withdraws such a decision, with the record of the operator in the same transaction. Of concurrent decisions one succeeds, and a
 * change in the meantime fails them all.
 *
 * @param claims the end of the claim of a person who decides on a page.
 * @returns the link after it; `conflict` when nothing was decided.
 */
export async function decideReview(
  link: Link,
  { decision, reason, revision }: ReviewDecision,
  operator: Operator,
  nowMs: number,
  claims: readonly ReturnType<typeof claimEnd>[] = [],
): Promise<Link | 'conflict'> {
  const by = { kind: 'operator', id: operator.keyId, name: operator.name } as const;
  const transition = applyDecision(link, { decision, revision, ...defined({ reason }) }, { by, nowMs });
  if (transition === undefined) return 'conflict';
  const { linkId: id, applicationId } = link;
  const action = decision === 'withdrawn' ? 'link.decision_withdrawn' : (`link.${decision}` as const);
  const record = actionWrite(operator, { action, id, applicationId, reason });
  const result = await linkStore.change(link, transition, [record, ...claims]);
  return result === 'conflict' ? result : transition.next;
}

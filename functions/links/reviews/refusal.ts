import { formatTime } from '../../shared/html/text.ts';
import { utc } from '../../shared/runtime/time-zone.ts';
import type { ReviewDecision } from '../contracts/reviews.ts';
import type { Link } from '../trust-links/link.ts';
import { isDecidable } from '../trust-links/transitions.ts';

/** Why a decision was refused, as sentences. @param link as it is now. @param last the last event of its history. */
export function whyRefused(
  { verificationStatus, revision, reviewedAtMs = 0 }: Link,
  last: { revision: number; by: { kind: string; name?: string | undefined } } | undefined,
  { decision, revision: seen }: ReviewDecision,
): string {
  if (isDecidable(verificationStatus, decision))
    return revision === seen
      ? 'Others changed the link at the same time.'
      : 'The link has changed since you read it.';
  if (verificationStatus === 'pending') return 'The link is pending: there is no decision to withdraw.';
  // Another event can have followed between the two reads.
  const { name } = last?.revision === revision ? last.by : {};
  const by = name === undefined ? '' : ` by ${name}`;
  const first = decision === verificationStatus ? '' : ' Withdraw that decision first.';
  return `The link was ${verificationStatus}${by} on ${formatTime(reviewedAtMs, utc)}.${first}`;
}

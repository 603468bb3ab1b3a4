import type { ReviewDecision } from '../links/contracts/reviews.ts';
import { decideLink } from '../links/review-decide.ts';
import { claimNext, isTaken } from '../links/reviews/claim-next.ts';
import { type Claim, claimEnd, claimStore } from '../links/reviews/claim-store.ts';
import { isLinkId } from '../links/trust-links/link.ts';
import { queuePosition } from '../links/trust-links/queue.ts';
import { reviewStore } from '../links/trust-links/review-store.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Operator } from '../shared/contract/operator-scopes.ts';
import type { Input } from '../shared/contract/route.ts';
import { quoted } from '../shared/html/text.ts';
import { reviewSubmitRoute } from './contracts/reviews.ts';
import { type Answer, redirectTo, type Visit } from './pages/visit.ts';
import { nothingFree, undoForm } from './reviews/notices.ts';
import { reasonOf } from './reviews/reasons.ts';
import { showReview } from './reviews/review-page.ts';
import { type ReviewView, reviewView } from './reviews/review-view.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

/** Decides on a link at the revision that its page showed, withdraws a decision, or takes the link over. */
export async function submitReview(
  { params: { linkId }, body }: Input<typeof reviewSubmitRoute>,
  visit: Visit,
): Promise<Answer> {
  if (!isLinkId(linkId)) throw new ApiError('not_found');
  if (body.action === 'take-over') return takeOver(linkId, body.holder, visit);
  const { revision } = body;
  if (body.action === 'withdraw')
    return decide(linkId, { decision: 'withdrawn', reason: body.reason, revision }, visit);
  if (body.action === 'verify') return decide(linkId, { decision: 'verified', revision }, visit);
  const reason = reasonOf(body);
  if (reason !== undefined) return decide(linkId, { decision: 'rejected', reason, revision }, visit);
  const view = await reviewView(linkId, visit);
  return showReview(visit, view, { status: 422, reason: 'Select a reason or enter one.' });
}

/** The claim ends with the decision, in one transaction. The next link is claimed after it. */
async function decide(linkId: string, body: ReviewDecision, visit: Visit): Promise<Answer> {
  const { operator, nowMs } = visit;
  const isWithdrawal = body.decision === 'withdrawn';
  // Nobody claims a link that is decided. A claim can be left by a reviewer before the API decided.
  const claims = isWithdrawal ? [] : [claimEnd(linkId, operator, nowMs)];
  try {
    const { link, before } = await decideLink({ params: { linkId }, body, caller: operator }, claims);
    const notice = noticeOf(link, body);
    if (isWithdrawal) return redirectTo(`/console/reviews/${linkId}`, notice);
    // The answer to the first request was lost, or the button was pressed twice. The queue shows which link is claimed next.
    if (before === undefined) return redirectTo(queuePath, notice);
    const undo = undoForm(linkId, link.revision, nowMs);
    const after = before.queueEntry && queuePosition(linkId, before.queueEntry);
    const next = await claimNext(operator, nowMs, { after, except: linkId });
    return next === undefined
      ? redirectTo(queuePath, `${notice} ${nothingFree}`, undo)
      : redirectTo(`/console/reviews/${next}`, notice, undo);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const view = await reviewView(linkId, visit);
    return showReview(visit, view, {
      status: 409,
      alert: `${whyNot(view, body, error)} Nothing was decided.`,
    });
  }
}

const queuePath = '/console/reviews';

const noticeOf = ({ title }: { title: string }, { decision }: ReviewDecision): string =>
  decision === 'withdrawn'
    ? `The decision is withdrawn. ${quoted(title)} waits for review again.`
    : `${quoted(title)} is ${decision}.`;

function whyNot(
  { link, claim, isOthers }: ReviewView,
  { decision }: ReviewDecision,
  { details }: ApiError,
): string {
  if (link === undefined) return 'The link was removed.';
  if (isOthers && decision !== 'withdrawn') return `${claim?.name} has taken this link over.`;
  return String(details?.reason);
}

/** Takes over the claim of the person whom the page showed. Of two who do so at once, one has it. */
async function takeOver(linkId: string, holder: string, visit: Visit): Promise<Answer> {
  const link = await reviewStore.findLink(linkId);
  const claim =
    link?.verificationStatus === 'pending'
      ? await claimStore.claim(linkId, visit.operator, visit.nowMs, holder)
      : undefined;
  return redirectTo(`/console/reviews/${linkId}`, takenOver(claim, visit.operator));
}

function takenOver(claim: Claim | undefined, operator: Operator): string {
  if (claim === undefined) return 'The link was decided or removed.';
  return isTaken(claim, operator) ? `${claim.name} has claimed this link.` : 'You have claimed this link.';
}

export const handler = consoleEndpoint(reviewSubmitRoute, 'review', submitReview);

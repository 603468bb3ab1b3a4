import { actionWrite } from '../shared/audit/write.ts';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError, endpoint, found, type Handler, type Input } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { reviewDecideRoute } from './contracts/reviews.ts';
import type { claimEnd } from './reviews/claim-store.ts';
import { whyRefused } from './reviews/refusal.ts';
import { isLinkId, type Link, toLinkResponse } from './trust-links/link.ts';
import { reviewStore } from './trust-links/review-store.ts';
import { linkStore } from './trust-links/store.ts';
import { applyDecision } from './trust-links/transitions.ts';

type Decide = Pick<Input<typeof reviewDecideRoute>, 'params' | 'body' | 'caller'>;

/**
 * Verifies or rejects a link at the revision that the reviewer read, or withdraws that decision, with the record of the reviewer in the
 * same transaction. Of concurrent decisions one succeeds, and a change in the meantime fails them all. A repeat decides nothing.
 *
 * @param claims the end of the claim of a reviewer in the console. The claim of another one fails the decision.
 * @returns the link, and as it was before; `before` is undefined for a repeat.
 * @throws ApiError `not_found`, `conflict`
 */
export async function decideLink(
  { params: { linkId }, body, caller }: Decide,
  claims: readonly ReturnType<typeof claimEnd>[] = [],
): Promise<{ link: Link; before: Link | undefined }> {
  const link = found(isLinkId(linkId) ? await reviewStore.findLink(linkId) : undefined);
  const { decision, reason, revision } = body;
  const by = { kind: 'operator', id: caller.keyId, name: caller.name } as const;
  const decided = applyDecision(
    link,
    { decision, revision, ...defined({ reason }) },
    {
      by,
      nowMs: clock.nowMs(),
    },
  );
  if (decided !== undefined) {
    const action = decision === 'withdrawn' ? 'link.decision_withdrawn' : (`link.${decision}` as const);
    const record = actionWrite(caller, { action, id: linkId, applicationId: link.applicationId, reason });
    if ((await linkStore.change(link, decided, [record, ...claims])) !== 'conflict')
      return { link: decided.next, before: link };
  }
  const present = found(await linkStore.get(link, linkId));
  const [last] = await reviewStore.history(linkId, 1);
  if (
    last?.event === decision &&
    last.reason === reason &&
    last.by.id === caller.keyId &&
    last.revision === revision + 1
  )
    return { link: present, before: undefined };
  const details = {
    reason: whyRefused(present, last, body),
    verificationStatus: present.verificationStatus,
    revision: present.revision,
  };
  throw new ApiError('conflict', { details });
}

export const decide: Handler<typeof reviewDecideRoute> = async (input) => ({
  trustLink: toLinkResponse((await decideLink(input)).link),
});

export const handler = endpoint(reviewDecideRoute, decide, operatorCaller);

import type { Subscription } from '../record/subscription.ts';
import { given, type TransitionContext } from './transition-context.ts';

/** What a new subscription takes over of the one that it replaces: the rest of its trial, or where it became overdue. */
export function takenOver(
  replaced: Subscription | undefined,
): Pick<TransitionContext, 'replacedTrial' | 'replacedArrears'> {
  if (replaced === undefined) return {};
  const { status, trialStartMs, trialEndMs, dunning, policy } = replaced;
  if (status === 'trialing')
    return { replacedTrial: { startMs: given(trialStartMs), endMs: given(trialEndMs) } };
  if (dunning === undefined) return {};
  return { replacedArrears: { fromMs: dunning.fromMs, graceDays: policy.graceDays } };
}

import { sellerCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Input } from '../shared/lambda/endpoint.ts';
import { clock, dayMs } from '../shared/runtime/clock.ts';
import { executeChange } from './commands/change-request.ts';
import { updateRoute } from './contracts/changes.ts';
import type { Event } from './machine/event.ts';
import type { Subscription } from './record/subscription.ts';

/** Changes when a subscription ends, or whether it renews. */
export const updateSubscription = (request: Input<typeof updateRoute>) =>
  executeChange(updateRoute, request, (current) => updateEvent(request.body, current, clock.nowMs()));

const maxGrantMs = 366 * dayMs;

/**
 * The event of an update. The values are absolute: a repeat changes nothing.
 *
 * @throws ApiError `invalid_request` when the new end is earlier than the present one, has passed, or is too far ahead.
 */
function updateEvent(
  { trialEnd, endDate, autoRenew, reason }: Input<typeof updateRoute>['body'],
  current: Subscription,
  nowMs: number,
): Event {
  if (trialEnd !== undefined) {
    const untilMs = Date.parse(trialEnd);
    if (current.status === 'trialing') refuseEnd('trialEnd', untilMs, current.trialEndMs);
    return { event: 'extend_trial', untilMs, reason } as const;
  }
  if (endDate !== undefined) {
    const untilMs = Date.parse(endDate);
    const { status } = current;
    if (status === 'active' || status === 'paused') refuseEnd('endDate', untilMs, current.termEndMs);
    if (status === 'past_due') refuseEnd('endDate', untilMs, Math.max(current.termEndMs, nowMs));
    return { event: 'grant_days', untilMs, reason } as const;
  }
  return { event: 'set_auto_renew', reason, autoRenew: autoRenew ?? current.autoRenew } as const;
}

function refuseEnd(field: 'trialEnd' | 'endDate', untilMs: number, presentMs: number): void {
  if (untilMs >= presentMs && untilMs <= presentMs + maxGrantMs) return;
  const problem = 'must be later than the present end and than now, by up to 366 days';
  throw new ApiError('invalid_request', { details: { [field]: problem } });
}

export const handler = endpoint(updateRoute, updateSubscription, sellerCaller);

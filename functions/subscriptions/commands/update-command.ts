/** A change of when a subscription ends, or whether it renews. */
import type { SellerCaller } from '../../shared/contract/callers.ts';
import { defined } from '../../shared/contract/defined.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { clock, optionalIsoTime } from '../../shared/runtime/clock.ts';
import { dayMs } from '../../shared/runtime/duration.ts';
import type { Subscription } from '../record/subscription.ts';
import type { Command } from './execute-command.ts';
import { changeAudit } from './operator-audit.ts';

/** The new value of one field, and why. Times in ISO 8601. */
export interface SubscriptionUpdate {
  readonly trialEnd?: string | undefined;
  readonly endDate?: string | undefined;
  readonly autoRenew?: boolean | undefined;
  readonly reason: string;
}

const maxGrantMs = 366 * dayMs;

/**
 * The command of an update. The values are absolute: a repeat changes nothing. What an operator changes leaves an audit record.
 *
 * @throws ApiError `invalid_request` when the new end is earlier than the present one, has passed, or is too far ahead.
 */
export function updateCommand(
  update: SubscriptionUpdate,
  caller: SellerCaller,
  current: Subscription,
): Command {
  const command = commandOf(update, current, clock.nowMs());
  if (caller.by === 'api_key') return command;
  const { reason } = update;
  return {
    ...command,
    audit: changeAudit(caller.operator, current, { reason, before: former(update, current) }),
  };
}

function commandOf(
  { trialEnd, endDate, autoRenew, reason }: SubscriptionUpdate,
  current: Subscription,
  nowMs: number,
) {
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

/** The former value of the field that is requested. */
function former(update: SubscriptionUpdate, { trialEndMs, termEndMs, autoRenew }: Subscription) {
  return defined({
    trialEnd: update.trialEnd && optionalIsoTime(trialEndMs),
    endDate: update.endDate && optionalIsoTime(termEndMs),
    autoRenew: update.autoRenew === undefined ? undefined : autoRenew,
  });
}

function refuseEnd(field: 'trialEnd' | 'endDate', untilMs: number, presentMs: number): void {
  if (untilMs >= presentMs && untilMs <= presentMs + maxGrantMs) return;
  const problem = 'must be later than the present end and than now, by up to 366 days';
  throw new ApiError('invalid_request', { details: { [field]: problem } });
}

import { type AuditWrite, auditWrite } from '../shared/accounts/audit.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import type { Authorship } from '../shared/contract/audit.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock, optionalIsoTime } from '../shared/runtime/clock.ts';
import { dayMs } from '../shared/runtime/duration.ts';
import { executeCommand } from './commands/execute-command.ts';
import { route } from './contracts/update.ts';
import { toChangeResponse } from './present/subscription.ts';
import type { Subscription } from './record/subscription.ts';

type Body = Input<typeof route>['body'];

const maxGrantMs = 366 * dayMs;

/**
 * Changes when a subscription ends, or whether it renews. The values are absolute: a repeat changes nothing. What an operator
 * changes leaves an audit record.
 * @throws ApiError `invalid_request` when the new end is earlier than the present one, has passed, or is too far ahead.
 */
export async function updateSubscription({
  params: { id },
  body,
  caller,
  rateLimitPassed,
}: Input<typeof route>): Promise<Output<typeof route>> {
  const subscription = await executeCommand(
    { ...caller, id, rateLimitPassed },
    ({ subscription: current }) => {
      const atMs = clock.nowMs();
      const command = commandOf(body, current, atMs);
      if (caller.by === 'api_key') return command;
      const authorship = { ...caller.operator, atMs, reason: body.reason };
      return { ...command, audit: (next) => auditOf(authorship, body, current, next) };
    },
  );
  return { subscription: toChangeResponse(subscription) };
}

function commandOf({ trialEnd, endDate, autoRenew, reason }: Body, current: Subscription, nowMs: number) {
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

/** The audit record of a change by an operator, with the former value of the field that was requested. */
function auditOf(
  authorship: Authorship,
  body: Body,
  current: Subscription,
  { revision }: Subscription,
): AuditWrite {
  const { subscriptionId: id, applicationId, trialEndMs, termEndMs, autoRenew } = current;
  const before = defined({
    trialEnd: body.trialEnd && optionalIsoTime(trialEndMs),
    endDate: body.endDate && optionalIsoTime(termEndMs),
    autoRenew: body.autoRenew === undefined ? undefined : autoRenew,
  });
  const object = { kind: 'subscription', id, applicationId } as const;
  return auditWrite(object, { ...authorship, event: 'changed', revision, before });
}

function refuseEnd(field: 'trialEnd' | 'endDate', untilMs: number, presentMs: number): void {
  if (untilMs >= presentMs && untilMs <= presentMs + maxGrantMs) return;
  const problem = 'must be later than the present end and than now, by up to 366 days';
  throw new ApiError('invalid_request', { details: { [field]: problem } });
}

export const handler = endpoint(route, updateSubscription, sellerCaller);

import { ApiError } from '../../shared/contract/errors.ts';
import type { Route } from '../../shared/contract/route.ts';
import { requireRevision } from '../../shared/fields/revision.ts';
import type { Input } from '../../shared/lambda/endpoint.ts';
import { clock } from '../../shared/runtime/clock.ts';
import { idempotentRequest, storedResponse } from '../../shared/table/idempotency.ts';
import type { resumeRoute } from '../contracts/changes.ts';
import type { Change } from '../machine/decide.ts';
import type { Event } from '../machine/event.ts';
import { toChangeResponse } from '../present/subscription.ts';
import type { Subscription } from '../record/subscription.ts';
import { type Decided, decideCommandOn } from './execute-command.ts';
import { executeOnce } from './execute-once.ts';
import { changeAudit } from './operator-audit.ts';
import { type SubscriptionOwner, subscriptionQueries } from './subscription-queries.ts';

/** `rateLimitPassed` is awaited after the first read and before the first write. */
type ChangeRequest = Pick<
  Input<typeof resumeRoute>,
  'params' | 'headers' | 'body' | 'caller' | 'rateLimitPassed'
>;

interface Changed {
  subscription: ReturnType<typeof toChangeResponse>;
}

/**
 * Executes a command of a seller on one of their subscriptions, once for each idempotency key. That of an operator leaves an audit
 * record, with the former values of the fields that it changes.
 *
 * @throws ApiError `not_found`, `invalid_transition`, `conflict`, `idempotency_mismatch`, `idempotency_in_progress`
 */
export async function executeChange(
  route: Pick<Route, 'method' | 'path'>,
  { params: { id }, headers, body, caller, rateLimitPassed }: ChangeRequest,
  buildEvent: (current: Subscription) => Event,
): Promise<Changed> {
  const { applicationId } = caller;
  const request = idempotentRequest(applicationId, headers, route, Object.assign({ id }, body));
  const [earlier, owner] = await Promise.all([
    storedResponse<Changed>(request, clock.nowMs()),
    subscriptionQueries.getOwner(applicationId, id),
  ]);
  await rateLimitPassed;
  if (owner === undefined) throw new ApiError('not_found');
  return earlier ?? executeOnce(request, () => decideFor(owner, { body, caller }, buildEvent));
}

async function decideFor(
  owner: SubscriptionOwner,
  { body: { revision, reason }, caller }: Pick<ChangeRequest, 'body' | 'caller'>,
  buildEvent: (current: Subscription) => Event,
): Promise<Decided<Changed>> {
  const writesOf = ({ previous, next }: Change) => {
    requireRevision(previous?.revision, revision);
    return caller.by === 'operator' ? changeAudit(caller.operator, previous, next, reason) : [];
  };
  const decided = await decideCommandOn(
    owner,
    'application',
    ({ subscription }) => buildEvent(subscription),
    writesOf,
  );
  if (decided.kind === 'unchanged')
    return { kind: 'unchanged', response: { subscription: toChangeResponse(decided.response) } };
  const response = () => ({ subscription: toChangeResponse(decided.response()) });
  return Object.assign({}, decided, { response });
}

import { type AuditWrite, actionWrites, formerValues } from '../shared/audit/write.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import type { SellerCaller } from '../shared/contract/callers.ts';
import { endpoint, type Input, type Output, Reply } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { randomToken } from '../shared/runtime/random.ts';
import { idempotentRequest } from '../shared/table/idempotency.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import type { ClientProfile } from './client.ts';
import { toClientResponse } from './present.ts';
import { upsertRoute } from './routes.ts';
import { OneClient } from './schemas.ts';
import { clientStore } from './store.ts';

/** Registers or updates a client: in one write, or with an Idempotency-Key in one transaction. */
export async function writeClient({
  headers,
  body,
  caller,
  rateLimitPassed,
}: Input<typeof upsertRoute>): Promise<Output<typeof upsertRoute> | Reply> {
  const { applicationId } = caller;
  const { externalId, email, name, address, vatId, metadata } = body;
  const profile = {
    applicationId,
    externalId,
    email,
    name,
    address,
    vatId,
    metadata: metadata && JSON.stringify(metadata),
  };
  const request = idempotentRequest(applicationId, headers, upsertRoute, body);
  const mark = { nowMs: clock.nowMs(), writeId: randomToken() };
  const isPlain = request === undefined && caller.by === 'api_key';
  if (isPlain) await rateLimitPassed;
  const result = isPlain
    ? await clientStore.write(profile, mark)
    : await retryOnConflict(() =>
        clientStore.writeRecorded(profile, mark, {
          request,
          rateLimitPassed,
          audit: (current, next) => recordOf(caller, current, next),
        }),
      );
  const response = { client: toClientResponse(result.profile) };
  return result.isNew ? response : new Reply(200, { body: JSON.stringify(OneClient.parse(response)) });
}

const recorded = ['email', 'name', 'address', 'vatId', 'metadata'] as const;

/** The record of an operator; none of a change that changes nothing. */
function recordOf(
  caller: SellerCaller,
  current: ClientProfile | undefined,
  next: ClientProfile,
): readonly AuditWrite[] {
  const id = next.externalId;
  if (current === undefined) return actionWrites(caller, { action: 'client.created', id });
  const before = formerValues(current, next, recorded);
  return before === undefined ? [] : actionWrites(caller, { action: 'client.changed', id, before });
}

export const handler = endpoint(upsertRoute, writeClient, sellerCaller);

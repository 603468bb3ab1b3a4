import { actionWrites } from '../shared/audit/write.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Input, type Output } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { confirmImport } from './import/confirmation.ts';
import type { Decision, Decisions } from './import/statement.ts';
import { statementStore } from './import/store.ts';
import { toStatementResponse } from './present-statement.ts';
import { confirmRoute } from './routes.ts';

type Request = Input<typeof confirmRoute>;
type Confirm = Pick<Request, 'params' | 'body' | 'caller' | 'rateLimitPassed'>;

/**
 * Confirms a statement once, and starts its import. A repeat starts an import that has failed again. The decisions of the request
 * count, whatever a person keeps meanwhile; or those that were kept, as long as they are those that the request is about.
 */
export async function confirmStatement({
  params: { id },
  body: { entries, decisionsVersion },
  caller,
  rateLimitPassed,
}: Confirm): Promise<Output<typeof confirmRoute>> {
  const nowMs = clock.nowMs();
  const confirmed = await retryOnConflict(async () => {
    const [statement] = await Promise.all([
      statementStore.get(caller.applicationId, id, nowMs),
      rateLimitPassed,
    ]);
    if (statement === undefined) throw new ApiError('not_found');
    if (decisionsVersion !== undefined && decisionsVersion !== statement.decisionsVersion)
      throw new ApiError('conflict', { details: { decisionsVersion: 'is another one now' } });
    const decisions = decisionsVersion === undefined ? decisionsOf(entries) : statement.decisions;
    return confirmImport(statement, decisions, {
      nowMs,
      keyId: caller.by === 'operator' ? caller.operator.keyId : undefined,
      auditOf: (before) => actionWrites(caller, { action: 'bank_statement.confirmed', id, before }),
    });
  });
  return { statement: toStatementResponse(confirmed) };
}

function decisionsOf(entries: Request['body']['entries']): Decisions {
  return Object.fromEntries(entries.map((one) => [one.entryId, { decision: decisionOf(one) }]));
}

function decisionOf({
  subscriptionId,
  invoiceId,
  invoices,
  paymentId,
  asMatched,
  unapplied,
}: Request['body']['entries'][number]): Decision {
  if (invoices !== undefined) return { invoices };
  if (paymentId !== undefined) return { paymentId };
  if (asMatched !== undefined) return { asMatched };
  if (unapplied !== undefined) return { unapplied };
  if (subscriptionId !== undefined) return { subscriptionId };
  return invoiceId === undefined ? { skip: true } : { invoiceId };
}

export const handler = endpoint(confirmRoute, confirmStatement, sellerCaller);

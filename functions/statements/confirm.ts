import { actionWrites } from '../shared/audit/write.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Handler, type Input } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { retryOnConflict } from '../shared/table/optimistic-retry.ts';
import { confirmImport } from './import/confirmation.ts';
import type { Decision, Decisions } from './import/statement.ts';
import { statementStore } from './import/store.ts';
import { toStatementResponse } from './present-statement.ts';
import { confirmRoute } from './routes.ts';

type Request = Input<typeof confirmRoute>;

/**
 * Confirms a statement once, and starts its import. A repeat starts an import that has failed again. The decisions of the request
 * count, whatever a person keeps meanwhile.
 */
export const confirmStatement: Handler<typeof confirmRoute> = async ({
  params: { id },
  body,
  caller,
  rateLimitPassed,
}) => {
  const nowMs = clock.nowMs();
  const confirmed = await retryOnConflict(async () => {
    const [statement] = await Promise.all([
      statementStore.get(caller.applicationId, id, nowMs),
      rateLimitPassed,
    ]);
    if (statement === undefined) throw new ApiError('not_found');
    return confirmImport(statement, decisionsOf(body.entries), {
      nowMs,
      keyId: caller.by === 'operator' ? caller.operator.keyId : undefined,
      auditOf: (before) => actionWrites(caller, { action: 'bank_statement.confirmed', id, before }),
    });
  });
  return { statement: toStatementResponse(confirmed) };
};

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

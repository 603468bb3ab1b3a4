import { secondMs } from '../../../functions/shared/runtime/clock.ts';
import type { ImportInput } from '../../../functions/statements/import/import-parts.ts';
import { statementStore } from '../../../functions/statements/import/store.ts';
import { type Call, call } from '../../support/call.ts';
import type { Answer, Rules } from '../scenario.ts';
import { same, succeeded } from './succeeded.ts';

const authorized = ({ headers = {} }: Call) => {
  const { authorization = '' } = headers;
  return { authorization };
};

/** The statement in the answer is the one that is read, with its entries. */
async function isRead(request: Call, { body }: Answer): Promise<void> {
  const params = { id: String(body.statement._id) };
  const read = await succeeded(call('statements.read', { headers: authorized(request), params }));
  same('the entries', read.body.statement.entries, body.statement.entries);
  same('the status', read.body.statement.status, body.statement.status);
}

/** Every entry has a result. */
async function isImported({ body }: Call): Promise<void> {
  const { applicationId, statementId } = body as ImportInput;
  const statement = await statementStore.get(applicationId, statementId, Date.now());
  same('the status', statement?.status, 'imported');
  same('the parts', statement?.partsDone, statement?.partSizes.length);
}

/** Confirms the statement. */
const confirmed = (request: Call, { body }: Answer) =>
  succeeded(
    call('statements.confirm', {
      headers: authorized(request),
      params: { id: String(body.statement._id) },
    }),
  );

/** Confirms the statement again, with the same decisions. */
const confirmedAgain = (request: Call) =>
  succeeded(
    call('statements.confirm', {
      headers: authorized(request),
      params: request.params ?? {},
      body: request.body,
    }),
  );

/** Runs the task again: nothing is left. */
async function importedAgain({ body }: Call): Promise<void> {
  const { handler } = await import('../../../functions/statements/run-import.ts');
  same('the rest', (await handler(body as ImportInput)).isDone, true);
}

export const financeStatementRules: Readonly<Record<string, Rules>> = {
  'statements.create': {
    repeatMakesAnother: true,
    verify: isRead,
    change: confirmed,
    // The lease of a request that could not release it ends by itself.
    retryDelayMs: 30 * secondMs,
    // Parts whose head was never written expire.
    mayDiffer: ['BANKSTATEMENT/PART'],
  },
  'statements.confirm': { verify: isRead, change: confirmedAgain },
  'statements.run-import': { verify: isImported, change: importedAgain, retryDelayMs: 5 * secondMs },
};

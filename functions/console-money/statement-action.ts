import type { FormOf } from '../console/contracts/console-route.ts';
import { type Answer, filled, redirectTo, show, type Visit, withQuery } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input } from '../shared/contract/route.ts';
import { confirmStatement } from '../statements/confirm.ts';
import { requirePossible } from '../statements/import/confirmation.ts';
import { maxDecisions } from '../statements/import/statement.ts';
import { statementStore } from '../statements/import/store.ts';
import { withForm } from './decisions.ts';
import { statementRefusal } from './pages/statement-page.ts';
import { type StatementForm, statementActionRoute } from './routes.ts';

type Params = Input<typeof statementActionRoute>['params'];

/** Keeps the decisions of a page, or confirms the statement with all that were kept. A form that is sent again changes nothing. */
export async function actOnStatement(
  { params, body }: Input<typeof statementActionRoute>,
  visit: Visit,
): Promise<Answer> {
  try {
    return body.action === 'confirm' ? await confirmed(params, body, visit) : await kept(params, body, visit);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'conflict') return refused(visit, 409, [changed]);
    if (error.code !== 'invalid_request' || error.details === undefined) throw error;
    return refused(
      visit,
      422,
      Object.entries(error.details).map(([entry, problem]) => `The ${entry} ${problem}.`),
    );
  }
}

const changed =
  'The decisions have changed since you opened the page, or the statement was confirmed with others. Reload the page and try again.';

/** @throws ApiError `invalid_request`, `conflict` */
async function kept(
  { applicationId, statementId }: Params,
  { action, form: _, version, match, next, ...fields }: FormOf<StatementForm, 'keep' | 'review'>,
  visit: Visit,
): Promise<Answer> {
  const statement = await statementStore.get(applicationId, statementId, visit.nowMs);
  if (statement === undefined) throw new ApiError('not_found');
  const decisions = withForm(statement.decisions, fields, visit.operator.keyId);
  if (Object.keys(decisions).length > maxDecisions)
    return refused(visit, 422, [`A statement has at most ${maxDecisions} decisions.`]);
  if (statement.status !== 'ready') throw new ApiError('conflict');
  await requirePossible(statement, decisions);
  const seen = { ...statement, decisionsVersion: version };
  if (!(await statementStore.keep(seen, decisions, visit.operator))) throw new ApiError('conflict');
  const path = filled(statementActionRoute.path, statement);
  if (action === 'review')
    return redirectTo(withQuery(path, { view: 'confirm' }), 'The decisions are saved.');
  return redirectTo(withQuery(path, { match, cursor: next }), 'The decisions are saved.');
}

/** @throws ApiError `invalid_request`, `conflict` */
async function confirmed(
  params: Params,
  { version, reason }: FormOf<StatementForm, 'confirm'>,
  { operator }: Visit,
): Promise<Answer> {
  const { applicationId, statementId: id } = params;
  await confirmStatement({
    params: { id },
    body: { entries: [], decisionsVersion: version },
    caller: { applicationId, by: 'operator', operator: Object.assign({ reason }, operator) },
    rateLimitPassed: Promise.resolve(),
  });
  return redirectTo(
    filled(statementActionRoute.path, params),
    'The statement was confirmed. Its entries are being recorded.',
  );
}

function refused(visit: Visit, status: 409 | 422, problems: readonly string[]): Answer {
  return show('Nothing was changed', statementRefusal(visit, problems), { status });
}

export const handler = consoleEndpoint(statementActionRoute, 'finance', actOnStatement);

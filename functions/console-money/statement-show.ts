import { type Answer, show, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import { getApplication } from '../shared/accounts/applications.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input } from '../shared/contract/route.ts';
import { entryPage } from '../statements/import/entry-page.ts';
import { decisionOf } from '../statements/import/statement.ts';
import { statementStore } from '../statements/import/store.ts';
import { withInvoiceNumbers } from '../statements/import/waiting.ts';
import { applicationCrumb } from './crumbs.ts';
import { outcomeOf } from './outcome.ts';
import { confirmPage } from './pages/confirm-page.ts';
import { statementPage } from './pages/statement-page.ts';
import { statementShowRoute } from './routes.ts';

const shownEntries = 25;

/** While an import works. */
const refreshSeconds = 5;

/** Shows a statement with a page of its entries, or the question before its confirmation. */
export async function showStatement(
  {
    params: { applicationId, statementId },
    query: { match, cursor, view },
  }: Input<typeof statementShowRoute>,
  visit: Visit,
): Promise<Answer> {
  const [application, statement] = await Promise.all([
    getApplication(applicationId),
    statementStore.get(applicationId, statementId, visit.nowMs),
  ]);
  if (application === undefined || statement === undefined) throw new ApiError('not_found');
  const { status, decisions } = statement;
  const crumbs = applicationCrumb(application);
  if (view === 'confirm' && status === 'ready') {
    const parts = statement.partSizes.map((_, i) => statementStore.part(statement, i + 1));
    const entries = (await Promise.all(parts)).flatMap((part) => part.entries);
    const decided = entries.filter(({ n }) => decisions[n] !== undefined);
    const numbered = new Map(
      (await withInvoiceNumbers(applicationId, decided)).map((entry) => [entry.n, entry]),
    );
    const known = entries.map((entry) => numbered.get(entry.n) ?? entry);
    const led = known.map((entry) => ({ entry, outcome: outcomeOf(entry, decisionOf(entry, statement)) }));
    return show('Confirm a bank statement', confirmPage(visit, statement, led), { crumbs });
  }
  const { items, ...rest } = await entryPage(statement, { match, limit: shownEntries, cursor });
  const numbered = await withInvoiceNumbers(
    applicationId,
    items.map(({ entry }) => entry),
  );
  const entries = {
    ...rest,
    items: items.map((item, i) => ({ ...item, entry: numbered[i] ?? item.entry })),
  };
  const more = status === 'importing' ? { refreshSeconds } : {};
  const content = statementPage(visit, application, statement, entries);
  return show('Bank statement', content, Object.assign({ crumbs }, more));
}

export const handler = consoleEndpoint(statementShowRoute, 'finance', showStatement);

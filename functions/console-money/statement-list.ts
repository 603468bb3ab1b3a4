import { facts, idText, moment } from '../console/pages/blocks.ts';
import { filteredPage, Period, periodFilters } from '../console/pages/lists.ts';
import { column, list } from '../console/pages/table.ts';
import { type Answer, filled, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import { foundApplication } from '../shared/accounts/applications.ts';
import type { Input } from '../shared/contract/route.ts';
import { html } from '../shared/html/markup.ts';
import { type BankStatement, entryCount } from '../statements/import/statement.ts';
import { statementPage } from '../statements/import/statement-page.ts';
import { applicationCrumb } from './crumbs.ts';
import { creditsOf, statusText, uploadForm } from './pages/statements-page.ts';
import { statementListRoute, statementPath } from './routes.ts';

const shownStatements = 25;

/** Shows the bank statements of an application, newest first, and the form for another one. */
export async function listStatements(
  { params: { applicationId }, query: { cursor } }: Input<typeof statementListRoute>,
  visit: Visit,
): Promise<Answer> {
  const application = await foundApplication(applicationId);
  const shown = { nowMs: visit.nowMs, toResponse: (statement: BankStatement) => statement };
  return filteredPage(visit, 'Bank statements', {
    schema: Period,
    filters: periodFilters('Created'),
    crumbs: applicationCrumb(application),
    page: (form, content) => html`<h1>Bank statements</h1>
${facts([
  ['Application', application.name],
  ['Id', idText(applicationId)],
])}
${uploadForm(visit, { format: 'camt.053' })}
<section aria-labelledby="statements"><h2 id="statements">Statements</h2>
${form}${content}</section>`,
    read: async ({ from, to }) =>
      list(
        visit,
        'Bank statements of the last 90 days, newest first',
        await statementPage(applicationId, { limit: shownStatements, cursor, from, to }, shown),
        [
          column.block(
            'Created',
            (one) => html`<a href="${visit.href(filled(statementPath, one))}">${moment(one.createdAtMs)}</a>`,
          ),
          column.text('Format', ({ format }) => format),
          column.status('Status', statusText),
          column.count('Entries', entryCount),
          column.text('Credits', creditsOf),
        ],
        'No bank statements.',
      ),
  });
}

export const handler = consoleEndpoint(statementListRoute, 'finance', listStatements);

import { actionPage } from '../operator/audit/action-page.ts';
import { auditColumns } from '../operator/audit/present.ts';
import { ActionListQuery } from '../operator/audit/schemas.ts';
import type { Input } from '../shared/contract/route.ts';
import { validationMessages } from '../shared/lambda/validation-messages.ts';
import { toCsv } from '../shared/lists/csv.ts';
import { recordsOfFile } from '../shared/lists/records-of-file.ts';
import { route } from './contracts/audit.ts';
import { auditPage } from './pages/audit-page.ts';
import { largestFile } from './pages/lists.ts';
import { type Answer, csvFile, show, type Visit } from './pages/visit.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

const shownActions = 50;

/** Shows what operators changed, or a file of it. The name of the file says when more actions follow. @param read the list. */
export async function showAudit(
  { query }: Pick<Input<typeof route>, 'query'>,
  visit: Visit,
  read = actionPage,
): Promise<Answer> {
  const asked = ActionListQuery.safeParse(query, { reportInput: true });
  if (!asked.success) {
    const problems = validationMessages(asked.error.issues, 'query');
    return show('Audit', auditPage(visit, { problems }), { status: 400 });
  }
  if (query.format === 'csv') {
    const { records, isWhole } = await recordsOfFile((page) => read(Object.assign({}, asked.data, page)), {
      most: largestFile,
      start: asked.data.cursor,
    });
    return csvFile(isWhole ? 'audit.csv' : 'audit-part.csv', toCsv(auditColumns, records));
  }
  const page = await read(Object.assign({}, asked.data, { limit: shownActions }));
  return show('Audit', auditPage(visit, { page }));
}

export const handler = consoleEndpoint(route, 'admin', showAudit);

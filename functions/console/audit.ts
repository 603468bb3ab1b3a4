import { actionPage } from '../operator/audit/action-page.ts';
import { auditColumns } from '../operator/audit/present.ts';
import { ActionListQuery } from '../operator/audit/schemas.ts';
import type { Input } from '../shared/contract/route.ts';
import { validationMessages } from '../shared/lambda/validation-messages.ts';
import { toCsv } from '../shared/lists/csv.ts';
import { recordsOfFile } from '../shared/lists/records-of-file.ts';
import { route } from './contracts/audit.ts';
import { auditPage } from './pages/audit-page.ts';
import { largestFile, ofPeriod } from './pages/lists.ts';
import { type Answer, csvFile, show, type Visit } from './pages/visit.ts';
import { consoleEndpoint } from './session/console-endpoint.ts';

const shownActions = 50;

/** Shows what operators changed, or a file of it. The name of the file says when more actions follow. @param read the list. */
export async function showAudit(
  { query }: Pick<Input<typeof route>, 'query'>,
  visit: Visit,
  read = actionPage,
): Promise<Answer> {
  const refused = (problems: Readonly<Record<string, string>>) =>
    show('Audit', auditPage(visit, { problems }), { status: 400 });
  const asked = ActionListQuery.safeParse(query, { reportInput: true });
  if (!asked.success) return refused(validationMessages(asked.error.issues, 'query'));
  const readMore: typeof read = (more) => read(Object.assign({}, asked.data, more));
  return ofPeriod(async () => {
    if (query.format !== 'csv')
      return show('Audit', auditPage(visit, { page: await readMore({ limit: shownActions }) }));
    const file = { most: largestFile, start: asked.data.cursor };
    const { records, isWhole } = await recordsOfFile(readMore, file);
    return csvFile(isWhole ? 'audit.csv' : 'audit-part.csv', toCsv(auditColumns, records));
  }, refused);
}

export const handler = consoleEndpoint(route, 'admin', showAudit);

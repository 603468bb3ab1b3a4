import { filled } from '../console/pages/path.ts';
import { type Answer, redirectTo, show, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import { foundApplication } from '../shared/accounts/applications.ts';
import { actionWrite } from '../shared/audit/write.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input } from '../shared/contract/route.ts';
import { dryRun } from '../statements/import/dry-run.ts';
import { maxFileBytes } from '../statements/request-schemas.ts';
import { mappingOf } from './mapping.ts';
import { uploadRefusal } from './pages/statements-page.ts';
import { statementPath, statementUploadRoute } from './routes.ts';

/** Makes the dry run of a file. A form that is sent again makes another one: each entry is recorded once. */
export async function uploadStatement(
  { params: { applicationId }, body }: Input<typeof statementUploadRoute>,
  visit: Visit,
): Promise<Answer> {
  await foundApplication(applicationId);
  const refused = (problem: string, status: 409 | 422 = 422) =>
    show('The file was not accepted', uploadRefusal(visit, problem, body), { status });
  const { format, file } = body;
  const mapping = format === 'csv' ? mappingOf(body) : undefined;
  const problem = problemOf(file);
  if (problem !== undefined) return refused(problem);
  if (typeof mapping === 'string') return refused(mapping);
  const { operator, nowMs } = visit;
  const auditOf = (id: string) => [
    actionWrite(operator, { action: 'bank_statement.uploaded', id, applicationId }),
  ];
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const { statement } = await dryRun(applicationId, { format, bytes, mapping }, { nowMs, auditOf });
    return redirectTo(filled(statementPath, statement), 'The file was read. Nothing is recorded yet.');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code === 'rate_limited')
      return refused(
        'Another file of the application is being read. Wait a few seconds, and try again.',
        409,
      );
    if (error.code !== 'invalid_request') throw error;
    return refused(`The file ${error.details?.file ?? 'cannot be read'}.`);
  }
}

function problemOf(file: File): string | undefined {
  if (file.size === 0) return file.name === '' ? 'Choose a file.' : 'The file is empty.';
  return file.size > maxFileBytes ? 'The file has more than 3 MB. Pack it with gzip.' : undefined;
}

export const handler = consoleEndpoint(statementUploadRoute, 'finance', uploadStatement);

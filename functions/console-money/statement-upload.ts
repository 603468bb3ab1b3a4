import type * as z from 'zod/mini';
import { type Answer, filled, redirectTo, show, type Visit } from '../console/pages/visit.ts';
import { consoleEndpoint } from '../console/session/console-endpoint.ts';
import { foundApplication } from '../shared/accounts/applications.ts';
import { defined } from '../shared/contract/defined.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input } from '../shared/contract/route.ts';
import { createStatement } from '../statements/create.ts';
import { Mapping, maxFileBytes } from '../statements/request-schemas.ts';
import { uploadRefusal } from './pages/statements-page.ts';
import { statementPath, statementUploadRoute, type UploadForm } from './routes.ts';

/** How the CSV file of a form is read; a sentence when its fields do not say so. */
export function mappingOf(form: UploadForm): z.output<typeof Mapping> | string {
  const listOf = (text: string | undefined) => {
    const list = text?.split(';').flatMap((one) => one.trim() || []);
    return list?.length === 0 ? undefined : list;
  };
  const parsed = Mapping.safeParse({
    columns: defined({
      date: form.date,
      amount: form.amount,
      currency: form.currencyColumn,
      reference: listOf(form.reference),
      name: form.name,
      iban: form.iban,
      id: form.id,
      direction: form.direction,
    }),
    ...defined({
      creditValues: listOf(form.creditValues),
      amounts: form.amounts,
      currency: form.currency?.toUpperCase(),
      account: form.account,
      dateFormat: form.dateFormat,
      decimalSeparator: form.decimalSeparator,
    }),
  });
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map(({ path }) => String(path[path[0] === 'columns' ? 1 : 0]));
  return `A CSV file needs the columns of the date and of the amount. Not possible: ${[...new Set(names)].join(', ')}.`;
}

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
  try {
    const { statement } = await createStatement({
      body: { format, file: Buffer.from(await file.arrayBuffer()).toString('base64'), mapping },
      caller: { applicationId, by: 'operator', operator: visit.operator },
      rateLimitPassed: Promise.resolve(),
    });
    const path = filled(statementPath, { applicationId, statementId: statement._id });
    return redirectTo(path, 'The file was read. Nothing is recorded yet.');
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

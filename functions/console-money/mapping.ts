import { defined } from '../shared/contract/defined.ts';
import type { CsvMapping } from '../statements/import/file/csv.ts';
import { Mapping } from '../statements/request-schemas.ts';
import type { UploadForm } from './contracts/statement-upload.ts';

/** How the CSV file of a form is read; a sentence when its fields do not say so. */
export function mappingOf(form: UploadForm): CsvMapping | string {
  const columns = form.reference?.split(';').flatMap((column) => column.trim() || []);
  const parsed = Mapping.safeParse({
    columns: defined({
      date: form.date,
      amount: form.amount,
      currency: form.currencyColumn,
      reference: columns?.length === 0 ? undefined : columns,
      name: form.name,
      iban: form.iban,
      id: form.id,
      direction: form.direction,
    }),
    ...defined({
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

import { defined } from '../shared/contract/defined.ts';
import type { CsvMapping } from '../statements/import/file/csv.ts';
import { Mapping } from '../statements/request-schemas.ts';
import type { UploadForm } from './contracts/statement-upload.ts';

/** How the CSV file of a form is read; a sentence when its fields do not say so. */
export function mappingOf(form: UploadForm): CsvMapping | string {
  const text = (value: string | undefined) => value?.trim() || undefined;
  const columns = (form.reference ?? '').split(';').flatMap((column) => text(column) ?? []);
  const parsed = Mapping.safeParse({
    columns: defined({
      date: text(form.date),
      amount: text(form.amount),
      currency: text(form.currencyColumn),
      reference: columns.length === 0 ? undefined : columns,
      name: text(form.name),
      iban: text(form.iban),
      id: text(form.id),
      direction: text(form.direction),
    }),
    ...defined({
      currency: text(form.currency)?.toUpperCase(),
      account: text(form.account),
      dateFormat: text(form.dateFormat),
      decimalSeparator: text(form.decimalSeparator),
    }),
  });
  if (parsed.success) return parsed.data;
  const names = parsed.error.issues.map(({ path }) => String(path[path[0] === 'columns' ? 1 : 0]));
  return `A CSV file needs the columns of the date and of the amount. Not possible: ${[...new Set(names)].join(', ')}.`;
}

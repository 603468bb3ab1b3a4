import { defined } from '../shared/contract/defined.ts';
import type { CsvMapping } from '../statements/import/file/csv.ts';
import { Mapping } from '../statements/request-schemas.ts';
import type { UploadForm } from './routes.ts';

/** How the CSV file of a form is read; a sentence when its fields do not say so. */
export function mappingOf(form: UploadForm): CsvMapping | string {
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

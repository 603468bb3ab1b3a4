import { actionForm, section, selectField, textField } from '../../console/pages/blocks.ts';
import type { Visit } from '../../console/pages/visit.ts';
import { html, type Markup, raw } from '../../shared/html/markup.ts';
import { formatAmount } from '../../shared/money/format.ts';
import { amountKinds } from '../../statements/import/file/amount.ts';
import { dateFormats } from '../../statements/import/file/dates.ts';
import {
  type BankStatement,
  doneCount,
  entryCount,
  statementFormats,
} from '../../statements/import/statement.ts';
import type { UploadForm } from '../routes.ts';

/** `importing, 250 of 600` */
export function statusText(statement: BankStatement): string {
  const { status } = statement;
  if (status === 'ready') return 'not confirmed';
  return status === 'imported' ? status : `${status}, ${doneCount(statement)} of ${entryCount(statement)}`;
}

/** The sums of credits by currency. */
export const creditsOf = ({ totals }: Pick<BankStatement, 'totals'>): string =>
  Object.entries(totals)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([currency, minor]) => formatAmount(minor, currency))
    .join(', ') || 'none';

type Entered = Readonly<Partial<UploadForm>>;

export function uploadForm(visit: Visit, entered: Entered): Markup {
  const column = (
    name: 'date' | 'amount' | 'currencyColumn' | 'name' | 'iban' | 'id' | 'direction',
    label: string,
  ) => textField(name, label, { value: entered[name] ?? '', maxLength: 100 });
  const content = html`<div class="row">
<div class="field"><label for="file">File</label><input id="file" name="file" type="file"></div>
${choice('format', 'Format', { choices: statementFormats, value: entered.format })}
<div class="field"><button type="submit">Read the file</button></div></div>
<details${entered.format === 'csv' ? raw(' open') : ''}><summary>The columns of a CSV file</summary>
<div class="row">${column('date', 'Value date')}${column('amount', 'Amount')}${column('currencyColumn', 'Currency')}${choice('amounts', 'Amounts', { choices: amountKinds, value: entered.amounts })}</div>
<div class="row">${column('direction', 'Debit and credit')}${textField('creditValues', 'Its values that are credits, separated by semicolons', { value: entered.creditValues ?? '', maxLength: 500 })}</div>
<div class="row">${textField('reference', 'Columns of the payment reference, separated by semicolons', { value: entered.reference ?? '', maxLength: 500 })}${column('name', 'Name of the payer')}${column('iban', 'Account of the payer')}${column('id', 'Id of the entry')}</div>
<div class="row">${choice('dateFormat', 'Date format', { choices: dateFormats, value: entered.dateFormat })}${choice('decimalSeparator', 'Decimal separator', { choices: ['.', ','], value: entered.decimalSeparator })}${textField('currency', 'Currency without a column', { value: entered.currency ?? '', maxLength: 3 })}${textField('account', 'Your account', { value: entered.account ?? '', maxLength: 50 })}</div></details>`;
  return section(
    'upload',
    'Read a file',
    html`<p class="note">CAMT.053 or CSV, as the bank gave it or packed with gzip, up to 3 MB and 10,000 entries. Nothing is recorded before you confirm.</p>
${actionForm(visit, visit.path, content, 'multipart/form-data')}`,
  );
}

const choice = (
  name: string,
  label: string,
  { choices, value }: { choices: readonly string[]; value: string | undefined },
): Markup => selectField(name, label, { choices: choices.map((one) => [one, one] as const), value });

/** The form again, with what is wrong. The browser keeps no file. */
export function uploadRefusal(visit: Visit, problem: string, entered: Entered): Markup {
  return html`<h1>The file was not accepted</h1><p class="alert" role="alert">${problem}</p>
${uploadForm(visit, entered)}
<p class="more"><a href="${visit.href(visit.path)}">Bank statements</a></p>`;
}

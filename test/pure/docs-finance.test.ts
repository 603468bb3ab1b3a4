import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { paymentStatuses, unappliedReasons } from '../../functions/ledger/payment.ts';
import { matchKinds, statementStatuses } from '../../functions/statements/import/statement.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

/** The part of a page from one heading to the next of its level. */
function section(file: string, heading: string): string {
  const [, after] = read(file).split(`\n## ${heading}\n`);
  if (after === undefined) throw new Error(`${file} has no section '${heading}'`);
  return after.split('\n## ')[0] ?? '';
}

/** The names in code of the first cells of all tables of a text. */
const firstCells = (text: string) =>
  [...text.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name),
  );

test('the webhook endpoint at Stripe receives each event that the service reads, and no other', () => {
  const handled = [...read('functions/payments/stripe/events.ts').matchAll(/^ {2}'([\w.]+)': /gm)];
  const documented = [
    ...section('docs/deploy.md', '10. Stripe').matchAll(/`((?:checkout|charge|refund)\.[\w.]+)`/g),
  ];
  expect(documented.map(([, type]) => type).sort()).toEqual(handled.map(([, type]) => type).sort());
});

test('each state of a payment is explained, and no other', () => {
  const states = firstCells(section('docs/payments.md', 'States'));
  expect(states.sort()).toEqual([...paymentStatuses].sort());
});

test('the picture of the states of a payment has each state', () => {
  const [, picture = ''] = /```mermaid\nstateDiagram-v2\n([\s\S]*?)```/.exec(read('docs/payments.md')) ?? [];
  expect(paymentStatuses.filter((status) => !new RegExp(`\\b${status}\\b`).test(picture))).toEqual([]);
});

test('each reason why money waits is explained', () => {
  const named = [...read('docs/payments.md').matchAll(/with the reason `(\w+)`/g)].map(
    ([, reason]) => reason,
  );
  expect([...new Set(named)].sort()).toEqual([...unappliedReasons].sort());
});

test('each match of an entry of a bank statement is explained, and the picture has each state', () => {
  expect(firstCells(section('docs/bank-statements.md', 'The dry run')).sort()).toEqual(
    [...matchKinds].sort(),
  );
  const [, picture = ''] = /```mermaid\n([\s\S]*?)```/.exec(read('docs/bank-statements.md')) ?? [];
  expect(statementStatuses.filter((status) => !picture.includes(`status ${status}`))).toEqual([]);
});

test('the terms of each part of the glossary are sorted', () => {
  for (const part of read('docs/glossary.md').split(/^## /m).slice(1)) {
    const terms = [...part.matchAll(/^\| ([^|]+) \| [^|]+ \| [^|]+ \|$/gm)]
      .map(([, term = '']) => term)
      .slice(1);
    const words = terms.filter((term) => !term.startsWith('---'));
    expect(words.length).toBeGreaterThan(0);
    expect(words).toEqual(words.toSorted((a, b) => a.localeCompare(b, 'en')));
  }
});

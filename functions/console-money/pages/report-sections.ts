/** The reports of an application, as charts with their figures. */

import { section } from '../../console/pages/blocks.ts';
import { column, table } from '../../console/pages/table.ts';
import type { Age, ReceivablesFigures } from '../../reports/ages.ts';
import { rateOf } from '../../reports/revenue.ts';
import type { MonthFigures } from '../../reports/revenue-parts.ts';
import { html, type Markup } from '../../shared/html/markup.ts';
import { formatDate } from '../../shared/html/text.ts';
import { formatAmount } from '../../shared/money/format.ts';
import { isoMonth, utc } from '../../shared/runtime/time-zone.ts';
import { barChart, partBar } from './charts.ts';

const preparing = html`<p role="status">The report has many records and is still being prepared. Reload the page in a few seconds.</p>`;

const ages: readonly (readonly [Age, string])[] = [
  ['notDue', 'Not due yet'],
  ['days1To30', '1 to 30 days'],
  ['days31To60', '31 to 60 days'],
  ['days61To90', '61 to 90 days'],
  ['over90', 'More than 90 days'],
];

/** The amounts that clients owe, by currency and age. */
export function receivablesSection(figures: ReceivablesFigures | 'preparing'): Markup {
  return reportSection('receivables', 'Receivables', figures, (counted) =>
    byName(counted).map(([currency, amounts]) => {
      const total = Object.values(amounts).reduce((sum, minor) => sum + minor, 0);
      return table(
        `Owed in ${currency}, by days after the due date: ${formatAmount(total, currency)}`,
        ages,
        [
          column.text('Age', ([, title]) => title),
          column.amount('Owed', ([age]) => [amounts[age], currency]),
          column.block('Part', ([age]) => partBar(amounts[age], total)),
        ],
        '',
      );
    }),
  );
}

/** The monthly recurring revenue of each month, and how much of it ended. */
export function recurringSection(months: readonly MonthFigures[] | 'preparing'): Markup {
  return reportSection('recurring', 'Recurring revenue', months, (counted) => {
    const currencies = new Set(counted.flatMap(({ figures }) => Object.keys(figures.totals)));
    return [...currencies].toSorted().map((currency, i) => recurringOf(counted, currency, i + 1));
  });
}

function recurringOf(months: readonly MonthFigures[], currency: string, n: number): Markup {
  const rows = months.map(({ period, figures: { totals, counts } }) => {
    const { end = 0, churned = 0 } = totals[currency]?.recurring ?? {};
    const rate = rateOf(counts.churned, counts.payingAtStart);
    const month = isoMonth(period.fromMs, period.timeZone);
    return { month, label: monthName(month), end, lost: 0 - churned, counts, rate };
  });
  const title = `Monthly recurring revenue in ${currency} at the end of each of ${rows.length} months, and what ended in them`;
  return html`<h3>${formatAmount(rows.at(-1)?.end ?? 0, currency)} a month</h3>
${barChart({
  id: `recurring-${n}`,
  title,
  labels: rows.map(({ label }) => label),
  series: [
    { color: 'main', values: rows.map(({ end }) => end) },
    { color: 'alarm', values: rows.map(({ lost }) => lost) },
  ],
  text: (minor) => formatAmount(minor, currency),
})}
<p class="note">First bar: monthly recurring revenue at the end of the month. Second bar: the revenue that churned in the month.</p>
<details><summary>The figures in ${currency}</summary>
${table(
  title,
  rows,
  [
    column.text('Month', ({ month }) => month),
    column.amount('Recurring', ({ end }) => [end, currency]),
    column.amount('Churned', ({ lost }) => [lost, currency]),
    column.text(
      'Churned subscriptions (all currencies)',
      ({ counts: { churned, payingAtStart } }) => `${churned} of ${payingAtStart}`,
    ),
    column.text('Churn', ({ rate }) => (rate === undefined ? '' : `${(rate * 100).toFixed(2)} %`)),
  ],
  '',
)}</details>`;
}

/** `2026-01` is `Jan 2026`, and `2026-02` is `Feb`. */
function monthName(month: string): string {
  const [, name = '', year = ''] = formatDate(Date.parse(month), utc).split(' ');
  return name === 'January' ? `Jan ${year}` : name.slice(0, 3);
}

function reportSection<F>(
  id: string,
  title: string,
  figures: F | 'preparing',
  content: (figures: F) => Markup[],
): Markup {
  const shown = figures === 'preparing' ? [preparing] : content(figures);
  return section(id, title, html`${shown.length === 0 ? html`<p>No ${title.toLowerCase()}.</p>` : shown}`);
}

const byName = <T>(figures: Readonly<Record<string, T>>) =>
  Object.entries(figures).toSorted(([one], [other]) => (one < other ? -1 : 1));

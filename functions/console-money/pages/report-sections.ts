/** The reports of an application as charts: SVG in the page, in colors of the theme. Their figures are in a table beside them. */
import { section } from '../../console/pages/blocks.ts';
import { column, table } from '../../console/pages/table.ts';
import type { Age, ReceivablesFigures } from '../../reports/ages.ts';
import { rateOf } from '../../reports/revenue.ts';
import type { MonthFigures } from '../../reports/revenue-parts.ts';
import { html, type Markup, raw } from '../../shared/html/markup.ts';
import { formatDate } from '../../shared/html/text.ts';
import { formatAmount } from '../../shared/money/format.ts';
import { isoMonth, utc } from '../../shared/runtime/time-zone.ts';

/** Figures of one color. */
interface Series {
  readonly color: 'main' | 'alarm';
  readonly values: readonly number[];
}

/** In pixels. Across, a chart is as wide as its page: places are in percent. */
const top = 20;
const height = 160;
/** The most characters of a value that stands over its bar, of twelve groups. */
const longestValue = 12;
/** The part of the place of a group that its bars take. */
const filledPart = 0.8;

/** A chart: groups of bars beside each other, each group with its label. */
interface Chart {
  /** Unique in the page. */
  readonly id: string;
  readonly title: string;
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  /** A value as text. */
  readonly text: (value: number) => string;
}

/**
 * Bars over an axis of values. A value of 0 or below has none. The values of the first series stand over its bars where there is room.
 * The description has all values, for a person who does not see the chart.
 */
export function barChart({ id, title, labels, series, text }: Chart): Markup {
  const ticks = ticksTo(Math.max(0, ...series.flatMap(({ values }) => values)));
  const most = ticks.at(-1) ?? 1;
  const step = 100 / Math.max(1, labels.length);
  const bar = (step * filledPart) / Math.max(1, series.length);
  const sizeOf = (value = 0) => (Math.max(0, value) / most) * height;
  const rects = series.flatMap(({ color, values }, s) =>
    values.map((value, i) => {
      const size = sizeOf(value);
      const place = `x="${shown(i * step + s * bar)}%" y="${shown(top + height - size)}"`;
      return `<rect class="${color}" ${place} width="${shown(bar)}%" height="${shown(size)}"/>`;
    }),
  );
  const lines = ticks.map((tick) => {
    const y = shown(top + height - sizeOf(tick));
    return `<line x1="0" x2="100%" y1="${y}" y2="${y}"/>`;
  });
  const over = labels.map((_, i) => {
    const x = shown(i * step + (step * filledPart) / 2);
    const value = series[0]?.values[i] ?? 0;
    return value > 0 && text(value).length <= longestValue
      ? html`<text x="${x}%" y="${shown(top + height - sizeOf(value) - 4)}">${text(value)}</text>`
      : raw('');
  });
  // Text within an image has no background that a program can tell.
  const under = labels.map(
    (label, i) => html`<span${i % 3 === 0 ? '' : raw(' class="between"')}>${label}</span>`,
  );
  const described = labels.map(
    (label, i) => `${label}: ${series.map(({ values }) => text(values[i] ?? 0)).join(', ')}`,
  );
  const axis = ticks.toReversed().map((tick) => html`<span>${text(tick)}</span>`);
  return html`<div class="chart"><div class="axis" aria-hidden="true">${axis}</div><div class="plot"><svg role="img" aria-labelledby="${id}" aria-describedby="${id}-values"><title id="${id}">${title}</title><desc id="${id}-values">${described.join('; ')}</desc>${raw(lines.join('') + rects.join(''))}${over}</svg><div class="months" aria-hidden="true">${under}</div></div></div>`;
}

/** Round values from 0 to the largest one or beyond it: three at least. */
export function ticksTo(most: number): number[] {
  const least = Math.max(1, most / 3);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5].map((digit) => digit * power).find((one) => one >= least) ?? 10 * power;
  return Array.from({ length: Math.max(3, Math.ceil(most / step) + 1) }, (_, i) => i * step);
}

/** A bar for a part of a whole, beside the figure that says it. */
export function partBar(part: number, whole: number): Markup {
  const share = whole <= 0 ? 0 : Math.min(100, Math.max(0, (part / whole) * 100));
  return html`<svg class="part" aria-hidden="true" viewBox="0 0 100 8" preserveAspectRatio="none"><rect class="main" width="${shown(share)}" height="8"/></svg>`;
}

const shown = (length: number): string => length.toFixed(1);

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

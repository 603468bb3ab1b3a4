/** Charts of the console: SVG in the page, in colors of the theme. The figures are in a table beside them. */
import { html, type Markup, raw } from '../../shared/html/markup.ts';

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

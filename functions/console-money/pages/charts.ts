/** Charts of the console: SVG in the page, in colors of the theme. The figures are in a table beside them. */
import { html, type Markup, raw } from '../../shared/html/markup.ts';

/** Figures of one color. */
export interface Series {
  readonly color: 'main' | 'alarm';
  readonly values: readonly number[];
}

const width = 720;
const height = 160;
/** The part of the place of a group that its bars take. */
const filledPart = 0.8;

/**
 * Bars that stand beside each other in groups. A value of 0 or below has none.
 *
 * @param id unique in the page.
 * @param title for a person who does not see the chart.
 */
export function barChart(id: string, title: string, series: readonly Series[]): Markup {
  const most = Math.max(1, ...series.flatMap(({ values }) => values));
  const step = width / Math.max(1, ...series.map(({ values }) => values.length));
  const bar = (step * filledPart) / Math.max(1, series.length);
  const rects = series.flatMap(({ color, values }, s) =>
    values.map((value, i) => {
      const size = (Math.max(0, value) / most) * height;
      const place = `x="${shown(i * step + s * bar)}" y="${shown(height - size)}"`;
      return `<rect class="${color}" ${place} width="${shown(bar)}" height="${shown(size)}"/>`;
    }),
  );
  return html`<svg class="chart" role="img" aria-labelledby="${id}" viewBox="0 0 ${shown(width)} ${shown(height)}" preserveAspectRatio="none"><title id="${id}">${title}</title>${raw(rects.join(''))}</svg>`;
}

/** A bar for a part of a whole, beside the figure that says it. */
export function partBar(part: number, whole: number): Markup {
  const share = whole <= 0 ? 0 : Math.min(100, Math.max(0, (part / whole) * 100));
  return html`<svg class="part" aria-hidden="true" viewBox="0 0 100 8" preserveAspectRatio="none"><rect class="main" width="${shown(share)}" height="8"/></svg>`;
}

const shown = (length: number): string => length.toFixed(1);

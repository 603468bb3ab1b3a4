/** The appearance that pages, mails and invoices share. */

export const productName = 'Vouchsafe';

/**
 * Colors of the light and the dark scheme. Text and background are never both of medium lightness, so that the
 * pairs stay readable in mail clients that invert colors.
 */
export const palette = {
  page: ['#f2f4f3', '#101513'],
  card: ['#ffffff', '#1a211e'],
  panel: ['#eaf2ee', '#26322d'],
  line: ['#d5ddd9', '#3a4741'],
  text: ['#17211d', '#e9efec'],
  muted: ['#4f5d57', '#a8b5af'],
  accent: ['#0f5c4a', '#7fd6b9'],
  onAccent: ['#ffffff', '#0d1f19'],
  // Errors, and what destroys. Its contrast with card, page and panel is at least 4.5:1 in both schemes.
  alarm: ['#a32018', '#ffb1a6'],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

export const markSvg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><path fill='${palette.accent[0]}' d='M0 0h9v9H0zM2 2l2 5h1l2-5H6L4.5 6 3 2z'/></svg>`;

/** The palette as CSS variables, in both schemes: the first rules of a style sheet. */
export const paletteRules = `:root{color-scheme:light dark;${variables(0)}}
@media (prefers-color-scheme:dark){:root{${variables(1)}}}`;

export function variables(scheme: 0 | 1): string {
  return Object.entries(palette)
    .map(([name, pair]) => `--${name}:${pair[scheme]}`)
    .join(';');
}

/** Fonts known to Outlook come first: Word falls back to Times New Roman when it does not know the first font. */
export const sansSerif = "'Segoe UI',-apple-system,BlinkMacSystemFont,Roboto,Helvetica,Arial,sans-serif";
export const monospace = 'Consolas,Menlo,Monaco,monospace';

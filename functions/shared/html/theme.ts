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
} as const satisfies Record<string, readonly [light: string, dark: string]>;

/**
 * Fonts known to Outlook come first: Word falls back to Times New Roman when it does not know the first font.
 */
export const sansSerif = "'Segoe UI',-apple-system,BlinkMacSystemFont,Roboto,Helvetica,Arial,sans-serif";

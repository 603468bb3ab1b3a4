/** How mails look: colours of both schemes, and the style of each kind of element. */

import { type Markup, raw } from '../html/markup.ts';

/**
 * Light is written inline, dark as a style sheet. Clients that drop the sheet and turn lightness around by
 * themselves still get readable pairs, since no text or its ground is of middling lightness.
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

/** Colours by property, as names of the palette. */
type Skin = Readonly<Record<string, keyof typeof palette>>;
const themes = {
  page: { 'background-color': 'page', color: 'text' },
  card: { 'background-color': 'card', color: 'text', 'border-color': 'line' },
  panel: { 'background-color': 'panel', color: 'text' },
  accent: { 'background-color': 'accent', color: 'onAccent' },
  text: { color: 'text' },
  muted: { color: 'muted' },
  label: { color: 'muted', 'border-color': 'line' },
  value: { color: 'text', 'border-color': 'line' },
  link: { color: 'accent' },
} as const satisfies Record<string, Skin>;

// Fonts that Outlook has come first: Word falls back to Times New Roman when it does not know the first one.
const sans = "'Segoe UI',-apple-system,BlinkMacSystemFont,Roboto,Helvetica,Arial,sans-serif";
const mono = 'Consolas,Menlo,Monaco,monospace';
const font = (size: number, line: number, weight = 400, family = sans) =>
  `font-family:${family};font-size:${size}px;line-height:${line}px;font-weight:${weight}`;
const cell = `padding:9px 0;border-bottom:1px solid;text-align:left;vertical-align:top;${font(14, 21)}`;
const round = 'border-radius:8px';
const noLine = 'text-decoration:none';
// Long words (addresses, names from outside) must not widen a narrow screen.
const breakable = 'word-break:break-word;overflow-wrap:anywhere';

/** Skin and style of each kind of element. */
const styles = {
  page: ['page', 'margin:0;padding:0;-webkit-text-size-adjust:100%'],
  mark: ['accent', `width:28px;height:28px;border-radius:7px;${font(16, 28, 700)}`],
  name: ['text', `padding-left:10px;${font(17, 28, 600)}`],
  card: ['card', `padding:32px 32px 20px;border:1px solid;border-radius:12px;${breakable}`],
  title: ['text', `margin:0 0 16px;${font(24, 32, 600)}`],
  heading: ['text', `margin:28px 0 8px;${font(18, 26, 600)}`],
  paragraph: ['text', `margin:0 0 16px;${font(16, 24)}`],
  note: ['muted', `margin:0 0 16px;${font(14, 21)}`],
  facts: ['text', 'width:100%;margin:0 0 16px;border-collapse:collapse'],
  label: ['label', `${cell};width:76px;padding-right:16px;word-break:normal;overflow-wrap:normal`],
  value: ['value', cell],
  // The padding on the left makes up for the space that letter-spacing leaves behind the last digit.
  code: ['panel', `padding:20px 8px 20px 16px;${round};letter-spacing:8px;${font(34, 42, 700, mono)}`],
  // A reference number has to stay on one line of a phone.
  longCode: ['panel', `padding:16px 8px 16px 10px;${round};letter-spacing:2px;${font(26, 36, 700, mono)}`],
  steps: ['text', `margin:0 0 16px 24px;padding:0;${font(16, 24)}`],
  step: ['text', `margin:0 0 8px;${font(16, 24)}`],
  button: ['accent', `${round};mso-padding-alt:12px 24px`],
  buttonLink: ['accent', `${round};padding:12px 24px;display:inline-block;${noLine};${font(16, 24, 600)}`],
  link: ['link', 'text-decoration:underline'],
  smallPrint: ['muted', `margin:0 0 6px;${font(13, 20)}`],
} as const satisfies Record<string, readonly [keyof typeof themes, string]>;

/** Class and style of an element. The colours come last, since `border` would reset its own. */
export function look(name: keyof typeof styles): Markup {
  const [skin, style] = styles[name];
  return raw(`class="${skin}" style="${style};${colours(themes[skin], 0)}"`);
}

/** What the dark scheme changes, by class. */
export function darkStyles(): Markup {
  const rules = Object.entries(themes).map(([name, skin]) => `.${name}{${colours(skin, 1, '!important')}}`);
  return raw(rules.join('\n'));
}

function colours(skin: Skin, scheme: 0 | 1, suffix = ''): string {
  const pairs = Object.entries(skin);
  return pairs.map(([property, name]) => `${property}:${palette[name][scheme]}${suffix}`).join(';');
}

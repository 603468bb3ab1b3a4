/**
 * Styles of mails. The light scheme is written inline and the dark scheme as a style sheet, which some mail
 * clients drop.
 */

import { type Markup, raw } from '../html/markup.ts';
import { monospace, palette, sansSerif } from '../html/theme.ts';

/** Colors by CSS property, as names in the palette. */
type Theme = Readonly<Record<string, keyof typeof palette>>;
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
} as const satisfies Record<string, Theme>;

const font = (size: number, line: number, weight = 400, family = sansSerif) =>
  `font-family:${family};font-size:${size}px;line-height:${line}px;font-weight:${weight}`;
const cell = `padding:9px 0;border-bottom:1px solid;text-align:left;vertical-align:top;${font(14, 21)}`;
const rounded = 'border-radius:8px';
const noUnderline = 'text-decoration:none';
// Long words, such as addresses and names, must not widen a narrow screen.
const breakable = 'word-break:break-word;overflow-wrap:anywhere';

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
  // The left padding balances the space that letter-spacing adds after the last digit.
  code: ['panel', `padding:20px 8px 20px 16px;${rounded};letter-spacing:8px;${font(34, 42, 700, monospace)}`],
  // A reference number must fit on one line of a phone.
  longCode: [
    'panel',
    `padding:16px 8px 16px 10px;${rounded};letter-spacing:2px;${font(26, 36, 700, monospace)}`,
  ],
  steps: ['text', `margin:0 0 16px 24px;padding:0;${font(16, 24)}`],
  step: ['text', `margin:0 0 8px;${font(16, 24)}`],
  button: ['accent', `${rounded};mso-padding-alt:12px 24px`],
  buttonLink: [
    'accent',
    `${rounded};padding:12px 24px;display:inline-block;${noUnderline};${font(16, 24, 600)}`,
  ],
  link: ['link', 'text-decoration:underline'],
  smallPrint: ['muted', `margin:0 0 6px;${font(13, 20)}`],
} as const satisfies Record<string, readonly [keyof typeof themes, string]>;

/** The class and style attributes of an element. Colors come last, because `border` would reset the border color. */
export function styleOf(name: keyof typeof styles): Markup {
  const [theme, style] = styles[name];
  return raw(`class="${theme}" style="${style};${colors(themes[theme], 0)}"`);
}

export function darkStyles(): Markup {
  const rules = Object.entries(themes).map(([name, theme]) => `.${name}{${colors(theme, 1, '!important')}}`);
  return raw(rules.join('\n'));
}

function colors(theme: Theme, scheme: 0 | 1, suffix = ''): string {
  const entries = Object.entries(theme);
  return entries.map(([property, name]) => `${property}:${palette[name][scheme]}${suffix}`).join(';');
}

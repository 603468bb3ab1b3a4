/**
 * The layout of every mail. A mail is a list of blocks. Each block renders its HTML and its plain text
 * together, so that the two parts cannot differ.
 *
 * The HTML uses only what mail clients support: tables, inline styles, no external resources. Word, which
 * renders mails in Outlook for Windows, supports neither max-width nor padding on links: hence the
 * conditional table around the card and `mso-padding-alt`.
 */
import { html, type Markup, raw } from '../html/markup.ts';
import { plainText, singleLine } from '../html/text.ts';
import { monospace, palette, productName, sansSerif } from '../html/theme.ts';

/** Colors by CSS property, as names in the palette. */
type Theme = Readonly<Record<string, keyof typeof palette>>;
/** The light scheme is written inline, and the dark scheme as a style sheet, which some mail clients drop. */
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
function styleOf(name: keyof typeof styles): Markup {
  const [theme, style] = styles[name];
  return raw(`class="${theme}" style="${style};${colors(themes[theme], 0)}"`);
}

function darkStyles(): Markup {
  const rules = Object.entries(themes).map(([name, theme]) => `.${name}{${colors(theme, 1, '!important')}}`);
  return raw(rules.join('\n'));
}

function colors(theme: Theme, scheme: 0 | 1, suffix = ''): string {
  const entries = Object.entries(theme);
  return entries.map(([property, name]) => `${property}:${palette[name][scheme]}${suffix}`).join(';');
}

export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

export interface Mail {
  /** Truncated at 150 characters. */
  subject: string;
  /** Shown after the subject in a list of mails. Hidden in the mail itself, so it only repeats what the blocks say. */
  preheader: string;
  heading: string;
  blocks: readonly Block[];
  /** Small print, one line each. */
  footer: readonly Line[];
}

export type Block =
  | { kind: 'heading' | 'paragraph' | 'note'; content: Line }
  | { kind: 'facts'; rows: readonly (readonly [label: string, value: string])[] }
  /** A code to copy, in large type. */
  | { kind: 'code'; code: string }
  | { kind: 'steps'; items: readonly Line[] }
  /** `url` as returned by {@link webUrl}. */
  | { kind: 'button'; label: string; url: string };

/** A text, or a sequence of texts, emphasized texts and links. */
export type Line = string | readonly (string | { strong: string } | { label: string; url: string })[];

/**
 * Renders the HTML and the plain text of a mail. External text is safe: control and direction characters are
 * removed and markup is escaped.
 *
 * @throws TypeError when a link is not http or https.
 */
export function renderMail(mail: Mail): MailContent {
  const subject = plainText(mail.subject, 150);
  const blocks = mail.blocks.map(renderBlock);
  const footer = mail.footer.map(renderLine);
  const smallPrint = ['---', ...footer.map((line) => line.text)].join('\n');
  const text = [plainText(mail.heading), ...blocks.map((block) => block.text), smallPrint].join('\n\n');
  return { subject, text: `${text}\n`, html: frame({ ...mail, subject, blocks, footer }).markup };
}

/** The URL for a link: http or https; undefined for any other text. */
export function webUrl(value: string): string | undefined {
  const url = URL.parse(value);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return undefined;
  return /^[!-~]+$/.test(value) ? value : url.href;
}

interface Part {
  html: Markup;
  text: string;
}

function renderBlock(block: Block): Part {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
    case 'note': {
      const tag = raw(block.kind === 'heading' ? 'h2' : 'p');
      const content = renderLine(block.content);
      return { html: html`<${tag} ${styleOf(block.kind)}>${content.html}</${tag}>`, text: content.text };
    }
    case 'facts':
      return {
        html: html`<table cellpadding="0" cellspacing="0" ${styleOf('facts')}>${block.rows.map(
          ([label, value]) => html`<tr>
<th scope="row" ${styleOf('label')}>${label}</th>
<td dir="auto" ${styleOf('value')}>${value}</td>
</tr>`,
        )}</table>`,
        text: block.rows.map(([label, value]) => `${plainText(label)}: ${plainText(value)}`).join('\n'),
      };
    case 'code':
      return {
        html: html`<table ${layoutTable} width="100%" style="margin:0 0 16px"><tr>
<td align="center" ${styleOf(block.code.length > 8 ? 'longCode' : 'code')}><span style="user-select:all">${block.code}</span></td>
</tr></table>`,
        text: plainText(block.code),
      };
    case 'steps': {
      const items = block.items.map(renderLine);
      return {
        html: html`<ol ${styleOf('steps')}>${items.map((item) => html`<li ${styleOf('step')}>${item.html}</li>`)}</ol>`,
        text: items.map((item, i) => `${i + 1}. ${item.text}`).join('\n'),
      };
    }
    case 'button': {
      const url = linkTarget(block.url);
      return {
        html: html`<table ${layoutTable} style="margin:24px 0 16px"><tr>
<td ${styleOf('button')}><a href="${url}" ${styleOf('buttonLink')}>${block.label}</a></td>
</tr></table>`,
        text: `${plainText(block.label)}:\n${url}`,
      };
    }
  }
}

function renderLine(line: Line): Part {
  const parts = (typeof line === 'string' ? [line] : line).map((piece): Part => {
    if (typeof piece === 'string') return { html: html`${piece}`, text: singleLine(piece) };
    if ('strong' in piece) {
      return { html: html`<strong dir="auto">${piece.strong}</strong>`, text: singleLine(piece.strong) };
    }
    const url = linkTarget(piece.url);
    return {
      html: html`<a href="${url}" ${styleOf('link')}>${piece.label}</a>`,
      text: `${singleLine(piece.label)} (${url})`,
    };
  });
  return {
    html: html`${parts.map((part) => part.html)}`,
    text: plainText(parts.map((part) => part.text).join('')),
  };
}

function linkTarget(value: string): string {
  const url = webUrl(value);
  if (url === undefined) throw new TypeError('A link in a mail must lead to http or https');
  return url;
}

const layoutTable = raw('role="presentation" cellpadding="0" cellspacing="0"');
const forWord = (markup: string) => raw(`<!--[if mso]>${markup}<![endif]-->`);

type Frame = Record<'subject' | 'preheader' | 'heading', string> & Record<'blocks' | 'footer', Part[]>;

/** Two style sheets, because Gmail drops a style sheet that has an unknown selector. */
function frame({ subject, preheader, heading, blocks, footer }: Frame): Markup {
  return html`<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<meta name="x-apple-disable-message-reformatting">
<title>${subject}</title>
<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
a[x-apple-data-detectors]{color:inherit!important;text-decoration:none!important}
</style>
<style>
@media (max-width:480px){.card{padding:24px 20px 12px!important}}
@media (prefers-color-scheme:dark){${darkStyles()}}
</style>
</head>
<body ${styleOf('page')}>
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preheader}</div>
<table ${layoutTable} width="100%" ${styleOf('page')}><tr><td align="center" style="padding:24px 12px">
${forWord('<table role="presentation" width="560"><tr><td>')}
<table ${layoutTable} width="100%" style="width:100%;max-width:560px;text-align:left">
<tr><td style="padding:0 4px 16px"><table ${layoutTable}><tr>
<td width="28" height="28" align="center" aria-hidden="true" ${styleOf('mark')}>${productName.slice(0, 1)}</td>
<td ${styleOf('name')}>${productName}</td>
</tr></table></td></tr>
<tr><td ${styleOf('card')}>
<h1 ${styleOf('title')}>${heading}</h1>
${blocks.map((block) => raw(`${block.html.markup}\n`))}</td></tr>
<tr><td style="padding:16px 4px 0">
${footer.map((line) => html`<p ${styleOf('smallPrint')}>${line.html}</p>\n`)}</td></tr>
</table>
${forWord('</td></tr></table>')}
</td></tr></table>
</body>
</html>
`;
}

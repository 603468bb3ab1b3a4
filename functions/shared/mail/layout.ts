import { html, type Markup, raw, singleLine } from '../html/markup.ts';
import { darkStyles, look } from './styles.ts';

/**
 * The one frame of every mail. A mail is given once, as blocks; each block yields its HTML and its plain text
 * side by side, so that the two parts cannot drift apart.
 *
 * The HTML keeps to what mail clients agree on: tables, inline styles, nothing loaded from anywhere. Word, which
 * draws mails in Outlook for Windows, knows neither max-width nor padding on links: hence the conditional table
 * around the card and `mso-padding-alt`.
 */
export const productName = 'Vouchsafe';

export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

export interface Mail {
  /** Cut at 150 characters. */
  subject: string;
  /** What a list of mails shows beside the subject; hidden in the mail, so nothing the blocks do not say. */
  preheader: string;
  heading: string;
  blocks: readonly Block[];
  /** Small print, one line each. */
  footer: readonly Line[];
}

export type Block =
  | { kind: 'heading' | 'paragraph' | 'note'; content: Line }
  | { kind: 'facts'; rows: readonly (readonly [label: string, value: string])[] }
  /** Something to copy, shown large. */
  | { kind: 'code'; code: string }
  | { kind: 'steps'; items: readonly Line[] }
  /** `url` as {@link webUrl} gives it. */
  | { kind: 'button'; label: string; url: string };

/** A text, or texts with emphasis and links in between. */
export type Line = string | readonly (string | { strong: string } | { label: string; url: string })[];

/**
 * Both parts of a mail. Texts may come from anywhere: control and direction characters go, markup is escaped.
 *
 * @throws TypeError when a link does not lead to the web.
 */
export function renderMail(mail: Mail): MailContent {
  const subject = plainText(mail.subject, 150);
  const blocks = mail.blocks.map(renderBlock);
  const footer = mail.footer.map(renderLine);
  const smallPrint = ['---', ...footer.map((line) => line.text)].join('\n');
  const text = [plainText(mail.heading), ...blocks.map((block) => block.text), smallPrint].join('\n\n');
  return { subject, text: `${text}\n`, html: frame({ ...mail, subject, blocks, footer }).markup };
}

/**
 * A text from outside as one line that is safe to show anywhere, a mail's header included: control characters
 * and line breaks become spaces; characters that turn the direction of writing or cannot be seen go (but for the
 * joiners that scripts and emoji need); lone surrogates are replaced.
 */
export function plainText(value: string, maxLength = Number.POSITIVE_INFINITY): string {
  const text = singleLine(value).trim();
  if (text.length <= maxLength) return text;
  // The cut must not leave half of a surrogate pair.
  return `${text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/**
 * A name that somebody chose, as it may stand in a mail: at most 60 characters. Mail clients make links of whatever looks
 * like one: this must not, or a name would lead the reader where its owner wants.
 */
export function nameInMail(value: string): string {
  return plainText(value.replaceAll('://', ': ').replace(/\.(?=\p{L})/gu, '. '), 60);
}

/** The address as it may stand behind a link: http or https; undefined for anything else. */
export function webUrl(value: string): string | undefined {
  const url = URL.parse(value);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) return undefined;
  return /^[!-~]+$/.test(value) ? value : url.href;
}

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June'],
  ...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** "21 November 2026", in UTC. By hand: the first use of Intl takes 10 ms of a cold start. */
export function formatDate(epochMs: number): string {
  const date = new Date(epochMs);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** "21 November 2026, 06:45 UTC". */
export function readableTime(epochMs: number): string {
  return `${formatDate(epochMs)}, ${new Date(epochMs).toISOString().slice(11, 16)} UTC`;
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
      return { html: html`<${tag} ${look(block.kind)}>${content.html}</${tag}>`, text: content.text };
    }
    case 'facts':
      return {
        html: html`<table cellpadding="0" cellspacing="0" ${look('facts')}>${block.rows.map(
          ([label, value]) => html`<tr>
<th scope="row" ${look('label')}>${label}</th>
<td dir="auto" ${look('value')}>${value}</td>
</tr>`,
        )}</table>`,
        text: block.rows.map(([label, value]) => `${plainText(label)}: ${plainText(value)}`).join('\n'),
      };
    case 'code':
      return {
        html: html`<table ${layout} width="100%" style="margin:0 0 16px"><tr>
<td align="center" ${look(block.code.length > 8 ? 'longCode' : 'code')}><span style="user-select:all">${block.code}</span></td>
</tr></table>`,
        text: plainText(block.code),
      };
    case 'steps': {
      const items = block.items.map(renderLine);
      return {
        html: html`<ol ${look('steps')}>${items.map((item) => html`<li ${look('step')}>${item.html}</li>`)}</ol>`,
        text: items.map((item, i) => `${i + 1}. ${item.text}`).join('\n'),
      };
    }
    case 'button': {
      const url = linkTarget(block.url);
      return {
        html: html`<table ${layout} style="margin:24px 0 16px"><tr>
<td ${look('button')}><a href="${url}" ${look('buttonLink')}>${block.label}</a></td>
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
      html: html`<a href="${url}" ${look('link')}>${piece.label}</a>`,
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

const layout = raw('role="presentation" cellpadding="0" cellspacing="0"');
const forWord = (markup: string) => raw(`<!--[if mso]>${markup}<![endif]-->`);

type Frame = Record<'subject' | 'preheader' | 'heading', string> & Record<'blocks' | 'footer', Part[]>;

/** Two style sheets, since Gmail drops a whole one when it meets a selector it does not know. */
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
<body ${look('page')}>
<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">${preheader}</div>
<table ${layout} width="100%" ${look('page')}><tr><td align="center" style="padding:24px 12px">
${forWord('<table role="presentation" width="560"><tr><td>')}
<table ${layout} width="100%" style="width:100%;max-width:560px;text-align:left">
<tr><td style="padding:0 4px 16px"><table ${layout}><tr>
<td width="28" height="28" align="center" aria-hidden="true" ${look('mark')}>${productName.slice(0, 1)}</td>
<td ${look('name')}>${productName}</td>
</tr></table></td></tr>
<tr><td ${look('card')}>
<h1 ${look('title')}>${heading}</h1>
${blocks.map((block) => raw(`${block.html.markup}\n`))}</td></tr>
<tr><td style="padding:16px 4px 0">
${footer.map((line) => html`<p ${look('smallPrint')}>${line.html}</p>\n`)}</td></tr>
</table>
${forWord('</td></tr></table>')}
</td></tr></table>
</body>
</html>
`;
}

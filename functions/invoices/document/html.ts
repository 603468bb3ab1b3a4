import { createHash } from 'node:crypto';
import { htmlType } from '../../shared/contract/headers.ts';
import { html, type Markup, raw } from '../../shared/html/markup.ts';
import { paletteRules, sansSerif, variables } from '../../shared/html/theme.ts';
import type { CreditNote } from '../credit-note.ts';
import type { Invoice } from '../invoice.ts';
import { creditNoteText, type IssuedDocument, invoiceText, type LineText } from './content.ts';
import { type QrCode, qrCode, quietZone } from './qr-code.ts';
import type { Row } from './row.ts';
import { type StatusText, statusText } from './status.ts';

const styles = `
${paletteRules}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;padding:40px 16px;background:var(--page);color:var(--text);font:15px/1.5 ${sansSerif};overflow-wrap:anywhere}
main{max-width:760px;margin:0 auto;padding:48px;background:var(--card);border:1px solid var(--line);border-radius:12px}
aside{max-width:760px;margin:0 auto 16px;padding:16px 24px;background:var(--panel);border:1px solid var(--line);border-radius:12px}
aside p{margin:0 0 8px}
.head,.parties,.pay{display:flex;flex-wrap:wrap;justify-content:space-between;gap:24px 40px}
.head{padding:0 0 24px;border-bottom:1px solid var(--line)}
.seller{flex:1 1 240px}
.name{margin:0 0 4px;font-size:24px;line-height:1.3;font-weight:600}
.detail{margin:0;color:var(--muted);font-size:13px}
.title{text-align:right}
h1{margin:0;color:var(--accent);font-size:26px;line-height:1.25;letter-spacing:.04em}
.title p{margin:2px 0 0}
.stamp{display:inline-block;margin:8px 0 0;padding:3px 12px;border:2px solid;border-radius:6px;font-weight:700;letter-spacing:.05em}
.good{color:var(--accent)}
.quiet{color:var(--muted)}
.bad{color:var(--alarm)}
.parties{padding:24px 0}
.customer{flex:1 1 240px}
.customer p{margin:0}
.label,dt,.term{color:var(--muted);font-size:13px}
.customer .label+p{font-weight:600}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:4px 24px;margin:0;align-items:baseline;align-content:start}
dd{margin:0}
table{width:100%;border-collapse:collapse}
th,td{padding:12px;text-align:right;vertical-align:top;border-bottom:1px solid var(--line)}
thead th{padding:8px 12px;background:var(--panel);border:0;font-size:13px;white-space:nowrap}
th:first-child,td:first-child{text-align:left}
.number{white-space:nowrap;font-variant-numeric:tabular-nums}
.term{margin:2px 0 0}
.narrow{display:none}
tfoot th,tfoot td{border:0;text-align:right}
tfoot .sum th,tfoot .sum td{padding:6px 12px 0;color:var(--muted);font-weight:400}
.total .number{font-size:20px;line-height:1.2;font-weight:700}
.note{margin:12px 0 0}
section{margin:24px 0 0;padding:24px;border-radius:8px;background:var(--panel)}
h2{margin:0 0 6px;font-size:17px;line-height:1.4}
section p{margin:0}
.pay{padding:16px 0 0}
.pay dl{flex:1 1 260px}
.transfer{align-self:flex-start}
.code{display:block;width:156px;margin:12px 0 0;border-radius:8px}
.reference{padding:12px 18px;border:2px solid var(--accent);border-radius:8px;background:var(--card)}
.reference strong{display:block;font-size:22px;line-height:1.35;letter-spacing:.03em;white-space:nowrap;user-select:all}
footer{max-width:760px;margin:0 auto;padding:16px 4px 0;color:var(--muted);font-size:13px}
@media (max-width:520px){body{padding:12px}main{padding:24px 20px}.title{text-align:left}th,td{padding:10px 6px}thead th{padding:8px 6px}section{padding:20px}.quantity,.unit{display:none}.narrow{display:block}}
@media print{:root{color-scheme:light;${variables(0)}}@page{size:A4;margin:16mm}body{padding:0;background:none;font-size:10.5pt}main{max-width:none;padding:0;border:0}aside{max-width:none}footer{max-width:none;padding:24px 0 0}section,tr{break-inside:avoid}section,thead th{-webkit-print-color-adjust:exact;print-color-adjust:exact}}
`;

/** The policy allows the style sheet by its hash, so that no other one is applied. */
const stylesHash = createHash('sha256').update(styles).digest('base64');

/** Headers of an invoice's page: it runs no script, loads nothing, sends nothing, and cannot be framed. */
export const invoicePageHeaders: Readonly<Record<string, string>> = {
  'content-type': htmlType,
  'content-security-policy': `default-src 'none'; style-src 'sha256-${stylesHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  // For browsers without frame-ancestors.
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
};

/**
 * An invoice as a page to read and to print, without scripts or external resources: the document as it was issued, below
 * what happened since.
 *
 * @param creditNotes those that correct the invoice.
 */
export function invoicePage(invoice: Invoice, creditNotes: readonly CreditNote[]): Promise<string> {
  return pageOf(invoiceText(invoice), statusText(invoice, creditNotes));
}

/** A credit note as a page, like {@link invoicePage}. @param invoice the one that it corrects. */
export function creditNotePage(creditNote: CreditNote, invoice: Invoice): Promise<string> {
  return pageOf(creditNoteText(creditNote, invoice));
}

async function pageOf(content: IssuedDocument, status?: StatusText): Promise<string> {
  const { title, number, seller, sellerDetails, customer, facts, stamp, payment, footer } = content;
  const code = payment.qrCode === undefined ? undefined : await qrCode(payment.qrCode);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${title} ${number} – ${seller}</title>
<style>${raw(styles)}</style>
</head>
<body>
${status === undefined ? raw('') : statusBlock(status)}<main>
<div class="head">
<div class="seller"><p class="name" dir="auto">${seller}</p>
${sellerDetails.map((line) => html`<p class="detail" dir="auto">${line}</p>\n`)}</div>
<div class="title"><h1>${title.toUpperCase()}</h1>
<p>${number}</p>${stamp === undefined ? raw('') : html`\n<p class="stamp good">${stamp}</p>`}
</div>
</div>
<div class="parties">
<div class="customer"><p class="label">Billed to</p>
${customer.map((line) => html`<p dir="auto">${line}</p>\n`)}</div>
${rowsOf(facts)}
</div>
${tableOf(content)}
${content.notes.map((note) => html`<p class="note">${note}</p>\n`)}${paymentOf(payment, code)}
</main>
<footer>${footer}</footer>
</body>
</html>
`.markup;
}

function statusBlock({ stamp, text, rows }: StatusText): Markup {
  return html`<aside aria-label="Status">
<p class="label">Since the issue of this document</p>
${stamp === undefined ? raw('') : html`<p class="stamp ${stamp.tone}">${stamp.text}</p>\n`}${text === undefined ? raw('') : html`<p>${text}</p>\n`}${rows.length === 0 ? raw('') : rowsOf(rows)}
</aside>
`;
}

function tableOf({ lines, sums, total, isTaxed }: IssuedDocument): Markup {
  const unitPrice = isTaxed ? html`<th scope="col" class="unit">Unit price</th>` : raw('');
  const empty = isTaxed
    ? html`<td class="quantity"></td><td class="unit"></td>`
    : html`<td class="quantity"></td>`;
  const sum = ([name, amount]: Row, tone: 'sum' | 'total') =>
    html`<tr class="${tone}">${empty}<th scope="row">${name}</th><td class="number">${amount}</td></tr>\n`;
  return html`<table>
<thead><tr><th scope="col">Description</th><th scope="col" class="quantity">Quantity</th>${unitPrice}<th scope="col">${isTaxed ? 'Without tax' : 'Amount'}</th></tr></thead>
<tbody>
${lines.map((line) => lineOf(line, isTaxed))}</tbody>
<tfoot>${sums.map((row) => sum(row, 'sum'))}${sum(total, 'total')}</tfoot>
</table>`;
}

function lineOf({ description, term, quantity, unitPrice, amount }: LineText, isTaxed: boolean): Markup {
  const unit = isTaxed ? html`<td class="number unit">${unitPrice}</td>\n` : raw('');
  const narrow = isTaxed ? `Quantity: ${quantity}, each ${unitPrice}` : `Quantity: ${quantity}`;
  return html`<tr>
<td><strong dir="auto">${description}</strong><p class="term">${term}</p><p class="term narrow">${narrow}</p></td>
<td class="number quantity">${quantity}</td>
${unit}<td class="number">${amount}</td>
</tr>
`;
}

function paymentOf(
  { heading, text, rows, reference }: IssuedDocument['payment'],
  code: QrCode | undefined,
): Markup {
  const details =
    reference === undefined
      ? raw('')
      : html`<div class="pay">
${rows.length === 0 ? raw('') : rowsOf(rows)}
<div class="transfer"><p class="reference"><span class="label">Payment reference</span><strong>${reference}</strong></p>
${code === undefined ? raw('') : pictureOf(code)}</div>
</div>`;
  return html`<section>
<h2>${heading}</h2>
<p>${text}</p>
${details}
</section>`;
}

/** The QR code, dark on light in both schemes: scanners need it. */
function pictureOf({ size, runs }: QrCode): Markup {
  const path = runs.map(({ x, y, width }) => `M${x} ${y}h${width}v1h-${width}z`).join('');
  const side = size + 2 * quietZone;
  const box = `${-quietZone} ${-quietZone} ${side} ${side}`;
  const background = `M${-quietZone} ${-quietZone}h${side}v${side}h${-side}z`;
  const label = 'QR code that fills in the transfer in the app of a bank';
  return html`<svg class="code" role="img" aria-label="${label}" viewBox="${box}" shape-rendering="crispEdges"><path fill="#fff" d="${background}"/><path d="${path}"/></svg>`;
}

function rowsOf(rows: readonly Row[]): Markup {
  return html`<dl>
${rows.map(([label, value]) => html`<dt>${label}</dt><dd dir="auto">${value}</dd>\n`)}</dl>`;
}

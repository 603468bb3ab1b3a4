import { createHash } from 'node:crypto';
import { invoicePage, invoicePageHeaders } from '../../../../../functions/invoices/document/html.ts';
import type { Invoice } from '../../../../../functions/invoices/invoice.ts';
import { anInvoice } from '../../../../support/subscriptions/invoices.ts';
import { creditNoteRecord } from '../../../../support/subscriptions/sold.ts';

const pageOf = (changes: Partial<Invoice> = {}) => invoicePage(anInvoice(changes), []);
const seen = async (changes: Partial<Invoice> = {}) =>
  (await pageOf(changes)).replace(/<head>.*<\/head>|<[^>]+>/gs, ' ').replace(/\s+/g, ' ');

test('the page shows everything in the invoice', async () => {
  const text = await seen();
  for (const part of [
    ...['Acme Notes Oy', 'INVOICE INV-7K3M9QXA-2', 'Billed to Matti Meikäläinen matti@example.com'],
    ...['Issued 21 November 2026', 'Due 28 November 2026', 'Subscription SUB-7K3M9QXA'],
    '“Pro” One month: 28 November 2026 to 28 December 2026',
    ...['Amount due EUR 1,299.00', 'Payment reference SUB-7K3M9QXA', 'IBAN FI21 1234 5600 0007 85'],
    ...['Account holder Acme Notes Oy', 'Bank Example Bank', 'BIC EXAMFIHH', 'Branch code 20-00-00'],
  ]) {
    expect(text).toContain(part);
  }
});

test.each([
  [{ status: 'paid', paidAtMs: Date.UTC(2026, 10, 24) }, 'PAID'],
  [{ status: 'void' }, 'VOID'],
  [{ status: 'uncollectible' }, 'NOT PAID'],
  [{ reversed: true }, 'PAYMENT REVERSED'],
] as const)(
  'one that is %o is stamped %s beside the document, which stays as issued',
  async (changes, stamp) => {
    const documentOf = (page: string) => page.slice(page.indexOf('<main>'));
    const page = await pageOf(changes);
    expect(page.slice(0, page.indexOf('<main>'))).toContain(`>${stamp}</p>`);
    expect(documentOf(page)).toBe(documentOf(await pageOf()));
  },
);

test('an open invoice has no status beside it until something happens', async () => {
  expect(await pageOf()).not.toContain('<aside');
});

test('a credit note is named beside the invoice that it corrects', async () => {
  const invoice = anInvoice({ settled: { creditNotedMinor: 500 } });
  const note = creditNoteRecord(invoice, 1, { totalMinor: 500, issuedAtMs: invoice.issuedAtMs });
  const page = await invoicePage(invoice, [note]);
  expect(page.slice(0, page.indexOf('<main>')).replaceAll('\u00a0', ' ')).toMatch(
    new RegExp(`EUR 5\\.00 by credit note ${note.number} of 21 November 2026.*EUR 1,294\\.00`, 's'),
  );
});

test('the page shows the email address of a customer without a name', async () => {
  expect(await seen({ customer: { email: 'x@example.com' } })).toContain('Billed to x@example.com');
});

describe('untrusted text', async () => {
  const hostile = '<script>alert(1)</script>"\'&\u0000\u202e\n';
  const page = await pageOf({
    seller: { name: hostile, banking: { accountHolder: hostile, bankName: hostile } },
    customer: { name: hostile, email: 'x@example.com' },
    lines: [{ description: hostile, quantity: 1, amountMinor: 1 }],
  });

  test('is escaped', () => {
    expect(page).not.toContain('<script');
    for (const gone of ['\u0000', '\u202e']) expect(page).not.toContain(gone);
    // A text in quotation marks contains no others.
    expect(
      page.match(/&lt;script&gt;alert\(1\)&lt;\/script&gt;(?:&quot;|&#39;)&#39;&amp;/g)?.length,
    ).toBeGreaterThan(4);
  });
});

describe('the page in a browser', async () => {
  const page = await pageOf();
  const policy = invoicePageHeaders['content-security-policy'] ?? '';

  test('applies its own style sheet only, and runs and loads nothing', () => {
    const [, styles = ''] = /<style>(.*)<\/style>/s.exec(page) ?? [];
    expect(policy).toContain(`'sha256-${createHash('sha256').update(styles).digest('base64')}'`);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
  });

  test('contains nothing that its policy blocks', () => {
    expect(page).not.toMatch(/<script|style="|<link|<img|src=|href=| on[a-z]+=/);
  });

  test('has styles for dark screens and for paper', () => {
    expect(page).toContain('@media (prefers-color-scheme:dark)');
    expect(page).toContain('@media print');
  });
});

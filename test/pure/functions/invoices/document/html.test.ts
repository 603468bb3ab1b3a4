import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { invoicePage, invoicePageHeaders } from '../../../../../functions/invoices/document/html.ts';
import type { Invoice } from '../../../../../functions/invoices/invoice.ts';
import { anInvoice } from '../../../../support/subscriptions/invoices.ts';

const seen = async (changes: Partial<Invoice> = {}) =>
  (await invoicePage(anInvoice(changes))).replace(/<head>.*<\/head>|<[^>]+>/gs, ' ').replace(/\s+/g, ' ');

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
] as const)('one that is %o is stamped %s and asks for nothing', async (changes, stamp) => {
  const text = await seen(changes);
  expect(text).toContain(` ${stamp} `);
  expect(text).not.toMatch(/How to pay|Payment reference|IBAN/);
});

test('the page shows the email address of a customer without a name', async () => {
  expect(await seen({ customer: { email: 'x@example.com' } })).toContain('Billed to x@example.com');
});

describe('untrusted text', async () => {
  const hostile = '<script>alert(1)</script>"\'&\u0000\u202e\n';
  const page = await invoicePage(
    anInvoice({
      seller: { name: hostile, banking: { accountHolder: hostile, bankName: hostile } },
      customer: { name: hostile, email: 'x@example.com' },
      lines: [{ description: hostile, quantity: 1, amountMinor: 1 }],
    }),
  );

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
  const page = await invoicePage(anInvoice());
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

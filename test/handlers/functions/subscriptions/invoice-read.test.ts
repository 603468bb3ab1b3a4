import { describe, expect, test } from 'vitest';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { isoTime } from '../../../../functions/shared/runtime/clock.ts';
import { call } from '../../../support/call.ts';
import {
  invoiceRecord,
  putSubscription,
  subscriptionRecord,
} from '../../../support/subscriptions/records.ts';
import { asSeller, banking, newSeller } from '../../../support/subscriptions/requests.ts';
import type { Tenant } from '../../../support/tenants.ts';

describe('an invoice', () => {
  async function withInvoice(more: Parameters<typeof invoiceRecord>[2] = {}) {
    const seller = await newSeller();
    const subscription = subscriptionRecord({ applicationId: seller.applicationId });
    const invoice = invoiceRecord(subscription, 1, more);
    await putSubscription(subscription, { invoices: [invoice] });
    return { seller, invoice };
  }
  const read = (seller: Tenant, id: string, accept?: string) =>
    call('subscriptions.invoice-read', {
      headers: { ...asSeller(seller), ...defined({ Accept: accept }) },
      params: { id },
    });

  test('shows decimal amounts and the bank account, and no stored attributes', async () => {
    const { seller, invoice } = await withInvoice({
      currency: 'KWD',
      totalMinor: 1_234,
      lines: [{ description: 'Pro', quantity: 2, amountMinor: 1_234 }],
      seller: { name: 'Example App', banking },
      periodStartMs: 1,
      periodEndMs: 2,
      paidAtMs: 3,
      reversed: true,
      checkoutId: 'cs_1',
      paymentId: 'pi_1',
    });
    const { status, body, headers } = await read(seller, invoice.invoiceId);
    expect([status, headers['content-type'], headers.vary]).toEqual([
      200,
      'application/json; charset=utf-8',
      'accept',
    ]);
    const { number, subscriptionId, paymentReference, issuedAtMs, dueAtMs } = invoice;
    expect(body.invoice).toEqual({
      _id: invoice.invoiceId,
      number,
      status: 'open',
      subscriptionId,
      currency: 'KWD',
      total: 1.234,
      amountDue: 1.234,
      lines: [{ description: 'Pro', quantity: 2, amount: 1.234 }],
      periodStart: isoTime(1),
      periodEnd: isoTime(2),
      paymentReference,
      banking,
      issuedAt: isoTime(issuedAtMs),
      dueAt: isoTime(dueAtMs),
      paidAt: isoTime(3),
      reversed: true,
    });
  });

  test('is a page for browsers that only its own style sheet can affect', async () => {
    const { seller, invoice } = await withInvoice();
    const { status, headers, text } = await read(
      seller,
      invoice.invoiceId,
      'text/html,application/xml;q=0.9,*/*;q=0.8',
    );
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      vary: 'accept',
      'cache-control': 'no-store',
      'content-disposition': `inline; filename="${invoice.number}.html"`,
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    });
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(text).toContain(invoice.number);
  });

  test('is a PDF for callers that prefer one', async () => {
    const { seller, invoice } = await withInvoice();
    const { status, headers, text } = await read(seller, invoice.invoiceId, 'application/pdf');
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      vary: 'accept',
      'content-disposition': `inline; filename="${invoice.number}.pdf"`,
    });
    expect(Buffer.from(text, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
  });

  test('is not found in any format when it is unknown, of another application, or malformed', async () => {
    const { invoice } = await withInvoice();
    const stranger = await newSeller();
    const unknown = invoiceRecord(subscriptionRecord(), 1).invoiceId;
    for (const id of [invoice.invoiceId, invoice.number, unknown])
      for (const accept of ['*/*', 'application/pdf', 'text/html']) {
        const { status, body } = await read(stranger, id, accept);
        expect([status, body.error]).toEqual([404, 'not_found']);
      }
  });
});

import { call, deliverOutboxOf, good } from '../../../support/call.ts';
import { signedIn } from '../../../support/samples/console.ts';
import { type Customer, newCustomer, openCustomer } from '../../../support/samples/customers.ts';
import { browse } from '../../../support/samples/forms.ts';

const accept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';

const open = (headers: object, params: Record<string, string>) =>
  browse('console.customer-document', { headers: { accept, ...headers }, params });

/** A subscription with an invoice that was mailed, and a credit note that was not. */
async function withDocuments(): Promise<{ customer: Customer; invoiceId: string; creditNoteId: string }> {
  // The mail of the invoice stores its PDF.
  const customer = await newCustomer('pending');
  const { seller, id } = customer;
  await deliverOutboxOf({ subscriptionId: id });
  good(await seller.act('activate', id));
  const [{ _id: invoiceId }] = good(await seller.details(id)).subscription.invoices;
  const body = { amount: 5, reason: 'goodwill' };
  const credited = { headers: seller.headers, params: { id: invoiceId }, body };
  const { creditNote } = good(await call('subscriptions.credit-invoice', credited));
  return { customer, invoiceId, creditNoteId: creditNote._id };
}

describe('a document of a customer', () => {
  test('has the bytes and the headers that the API returns, and is linked by the page', async () => {
    const { customer, invoiceId, creditNoteId } = await withDocuments();
    const headers = await signedIn('finance');
    const page = await openCustomer(headers, customer);
    const pdf = { ...customer.seller.headers, accept: 'application/pdf' };
    for (const [id, documentId] of [
      ['invoices.read', invoiceId],
      ['invoices.credit-note-read', creditNoteId],
    ] as const) {
      expect(page.text).toContain(`/${customer.id}/documents/${documentId}">`);
      const shown = await open(headers, { ...customer.params, documentId });
      const api = await call(id, { headers: pdf, params: { id: documentId } });
      expect(shown.status).toBe(200);
      expect(Buffer.from(shown.text, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
      if (id === 'invoices.read') expect(shown.headers['repr-digest']).toMatch(/^sha-256=/);
      for (const name of ['content-type', 'content-disposition', 'vary', 'repr-digest', 'cache-control'])
        expect([name, shown.headers[name]]).toEqual([name, api.headers[name]]);
      if (id === 'invoices.read') expect(shown.text === api.text).toBe(true);
      expect(shown.headers['referrer-policy']).toBe('no-referrer');
    }
  });

  test('of another application or another subscription does not exist, nor does an id of another kind', async () => {
    const { customer, invoiceId, creditNoteId } = await withDocuments();
    const other = await newCustomer();
    const headers = await signedIn('finance');
    const { applicationId } = other.params;
    for (const params of [
      ...[invoiceId, creditNoteId].flatMap((documentId) => [
        { ...customer.params, applicationId, documentId },
        { ...other.params, documentId },
        { applicationId: customer.params.applicationId, subscriptionId: other.id, documentId },
      ]),
      { ...customer.params, documentId: customer.id },
    ])
      expect((await open(headers, params)).status).toBe(404);
  });
});

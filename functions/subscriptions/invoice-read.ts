import { apiKeyCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import { jsonType } from '../shared/contract/headers.ts';
import { type Input, type Output, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { preferredType } from './api/content-negotiation.ts';
import { toInvoiceResponse } from './api/present.ts';
import { OneInvoice } from './api/responses.ts';
import { subscriptionQueries } from './engine/subscription-queries.ts';
import { invoicePage, invoicePageHeaders } from './invoices/html.ts';
import { invoicePdf } from './invoices/pdf.ts';
import { routes } from './routes.ts';

const route = routes['invoice-read'];
const readDeps = () => ({ subscriptions: subscriptionQueries });

/** An invoice in the format that the caller accepts: JSON, unless `Accept` prefers HTML or PDF. */
export async function readInvoice(
  { params, headers, caller }: Input<typeof route>,
  { subscriptions }: ReturnType<typeof readDeps>,
): Promise<Output<typeof route> | Reply> {
  const invoice = await subscriptions.getInvoice(caller.applicationId, params.id);
  if (invoice === undefined) throw new ApiError('not_found');
  // A cache must not serve one caller's format to another.
  const vary = { vary: 'accept' };
  const inline = (extension: string) => ({
    'content-disposition': `inline; filename="${invoice.number}.${extension}"`,
  });
  // API Gateway decodes a binary body only when the first type of `Accept` is binary; other callers would get Base64.
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings-workflow.html
  const acceptsBytes = /^\s*application\/pdf\s*(?:[,;]|$)/i.test(headers.accept ?? '');
  const offers = ['application/json', 'text/html'] as const;
  switch (preferredType(headers.accept, acceptsBytes ? [...offers, 'application/pdf'] : offers)) {
    case 'text/html':
      return new Reply(200, {
        headers: { ...invoicePageHeaders, ...inline('html'), ...vary },
        body: invoicePage(invoice),
      });
    case 'application/pdf':
      return new Reply(200, {
        headers: { 'content-type': 'application/pdf', ...inline('pdf'), ...vary },
        body: await invoicePdf(invoice),
      });
    case 'application/json':
      return new Reply(200, {
        headers: { 'content-type': jsonType, ...vary },
        body: JSON.stringify(OneInvoice.parse({ invoice: toInvoiceResponse(invoice) })),
      });
  }
}

export const handler = endpoint(route, readInvoice, readDeps, apiKeyCaller);

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
import { routes } from './routes.ts';

const route = routes['invoice-read'];
const readDeps = () => ({ subscriptions: subscriptionQueries });

/** An invoice in the form that the caller wants: JSON, unless `Accept` prefers a page or PDF. */
export async function readInvoice(
  { params, headers, caller }: Input<typeof route>,
  { subscriptions }: ReturnType<typeof readDeps>,
): Promise<Output<typeof route> | Reply> {
  const invoice = await subscriptions.getInvoice(caller.applicationId, params.id);
  if (invoice === undefined) throw new ApiError('not_found');
  // Whatever lies between must not give one caller's form to another.
  const vary = { vary: 'accept' };
  const inline = (extension: string) => ({
    'content-disposition': `inline; filename="${invoice.number}.${extension}"`,
  });
  // API Gateway decodes bytes only for callers whose first type they are; any other would get their Base64.
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings-workflow.html
  const asBytes = /^\s*application\/pdf\s*(?:[,;]|$)/i.test(headers.accept ?? '');
  const offers = [
    'application/json',
    'text/html',
    ...(asBytes ? (['application/pdf'] as const) : []),
  ] as const;
  switch (preferredType(headers.accept, offers)) {
    case 'text/html':
      return new Reply(200, {
        headers: { ...invoicePageHeaders, ...inline('html'), ...vary },
        body: invoicePage(invoice),
      });
    case 'application/pdf': {
      // Only who asks for it waits for it to be loaded.
      const { invoicePdf } = await import('./invoices/pdf.ts');
      return new Reply(200, {
        headers: { 'content-type': 'application/pdf', ...inline('pdf'), ...vary },
        body: await invoicePdf(invoice),
      });
    }
    case 'application/json':
      return new Reply(200, {
        headers: { 'content-type': jsonType, ...vary },
        body: JSON.stringify(OneInvoice.parse({ invoice: toInvoiceResponse(invoice) })),
      });
  }
}

export const handler = endpoint(route, readInvoice, readDeps, apiKeyCaller);

import { actionWrites } from '../shared/audit/write.ts';
import { sellerCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { idempotentRequest } from '../shared/table/idempotency.ts';
import { creditInvoiceOf } from './commands/credit-invoice-command.ts';
import { creditInvoiceRoute } from './contracts/changes.ts';

export const creditInvoice: Handler<typeof creditInvoiceRoute> = async ({
  params: { id },
  headers,
  body,
  caller,
  rateLimitPassed,
}) => {
  const { applicationId } = caller;
  const request = idempotentRequest(applicationId, headers, creditInvoiceRoute, { id, ...body });
  const audit = actionWrites(caller, { action: 'invoice.credited', id, reason: body.reason });
  return creditInvoiceOf({ applicationId, invoiceId: id, rateLimitPassed, request, audit }, body);
};

export const handler = endpoint(creditInvoiceRoute, creditInvoice, sellerCaller);

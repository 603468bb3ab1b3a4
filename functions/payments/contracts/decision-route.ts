import { OnePayment } from '../../ledger/payment-schema.ts';
import { commonErrors, sellerRoute } from '../../shared/contract/route-parts.ts';
import * as grants from '../../subscriptions/grants.ts';
import { movedPaymentTable } from '../grants.ts';
import { PaymentPath } from '../schemas.ts';

export const decisionRoute = {
  ...sellerRoute,
  method: 'POST',
  params: PaymentPath,
  response: OnePayment,
  errors: { ...commonErrors, also: ['invalid_token', 'not_found', 'conflict', 'invalid_transition'] },
  grants: { ...grants.change, table: movedPaymentTable },
} as const;

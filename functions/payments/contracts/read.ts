import { OnePayment } from '../../ledger/payment-schema.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { commonErrors, sellerRoute } from '../../shared/contract/route-parts.ts';
import { PaymentPath } from '../schemas.ts';

export const route = defineRoute({
  method: 'GET',
  path: '/api/v1/payments/{id}',
  alsoAt: '/payments/{id}',
  summary: 'Retrieves a payment, with its status and how its amount was used.',
  description:
    'At any time `amount` is the sum of the amounts in `applied`, and of `credited`, `returned` and `waiting`.',
  ...sellerRoute,
  params: PaymentPath,
  response: OnePayment,
  errors: { ...commonErrors, also: ['invalid_token', 'not_found'] },
  grants: { table: { PAYMENT: ['GetItem'] } },
});

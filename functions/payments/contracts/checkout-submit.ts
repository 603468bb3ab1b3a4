import * as z from 'zod/mini';
import { formRoute } from '../../shared/contract/form-route.ts';
import { page } from '../../shared/contract/other-responses.ts';
import { defineRoute } from '../../shared/contract/route.ts';
import { unlimitedErrors } from '../../shared/contract/route-parts.ts';
import { CheckoutPath } from '../checkout/checkout-path.ts';
import { sandboxPaymentTable } from '../grants.ts';

const CheckoutAction = z.object({ action: z.enum(['pay', 'decline', 'cancel', 'reverse']) });

export const route = defineRoute({
  ...formRoute,
  path: '/checkout/{token}',
  summary:
    'Submits the payment page of the sandbox: pay, have the payment declined, cancel, or reverse the payment.',
  description: 'It pays nothing unless the sandbox is the gateway of the application at that moment.',
  params: CheckoutPath,
  body: CheckoutAction,
  otherResponses: [
    page(402, 'The sandbox declined the payment, as asked. The page says so, and the invoice stays payable.'),
    page(
      409,
      'The invoice cannot be paid, or not any more, or the sandbox is not the gateway any more. The page says why.',
    ),
  ],
  errors: { ...unlimitedErrors, also: ['not_found', 'conflict'] },
  grants: { table: sandboxPaymentTable, uses: ['timers', 'deploymentKey', 'sandboxGateway'] },
});

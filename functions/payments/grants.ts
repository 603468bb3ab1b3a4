import { change } from '../subscriptions/grants.ts';

/** A payment also reads its invoice. Its write is conditioned on the subscriptions of the client. */
export const paymentTable = {
  ...change.table,
  CLIENT: [...change.table.CLIENT, 'ConditionCheckItem'],
  INVOICE: ['GetItem', 'PutItem'],
  // The ledger of money whose client is not known.
  JOURNAL: ['PutItem'],
} as const;
/** An application's payment is recorded by its own id, once per idempotency key. */
export const activationTable = {
  ...paymentTable,
  PAYMENT: ['GetItem', 'PutItem'],
  IDEMPOTENCY: ['GetItem', 'PutItem'],
} as const;
/** A payment that a gateway reports is recorded together with its event. */
export const gatewayPaymentTable = {
  ...paymentTable,
  PAYMENT: ['GetItem', 'BatchGetItem', 'PutItem', 'DeleteItem', 'ConditionCheckItem'],
  GATEWAY: ['BatchGetItem', 'PutItem'],
} as const;
/** The sandbox reports a payment from the page of its invoice, while it is the gateway of the application. */
export const sandboxPaymentTable = {
  ...gatewayPaymentTable,
  CLIENT: [...gatewayPaymentTable.CLIENT, 'GetItem'],
  APP: ['GetItem', 'ConditionCheckItem'],
} as const;
/** The payment page reads its invoice and stores the id of the gateway's checkout in it. */
export const checkoutTable = {
  INVOICE: ['GetItem'],
  SUBSCRIPTION: ['GetItem', 'UpdateItem'],
  CLIENT: ['GetItem'],
  APP: ['GetItem'],
} as const;

export const movedPaymentTable = { ...paymentTable, PAYMENT: ['GetItem', 'PutItem'] } as const;

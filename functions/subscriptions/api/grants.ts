/** What every change of a subscription reads and writes. */
const changeTable = {
  SUBSCRIPTION: ['GetItem', 'PutItem', 'UpdateItem'],
  // The end of a subscription gives the client credit for what an open invoice had received.
  CLIENT: ['BatchGetItem', 'PutItem', 'UpdateItem'],
  INVOICE: ['PutItem'],
  // The seller's series of numbers.
  INVOICESERIES: ['GetItem', 'UpdateItem'],
  EVENT: ['PutItem'],
  APP: ['GetItem'],
  PLAN: ['GetItem'],
} as const;

/** A command or a step reads the latest invoices together with the subscription. */
export const change = {
  table: { ...changeTable, SUBSCRIPTION: [...changeTable.SUBSCRIPTION, 'Query'] },
  uses: ['timers'],
} as const;

/** A payment also reads its invoice. Its write is conditioned on the subscriptions of the client. */
export const paymentTable = {
  ...change.table,
  CLIENT: [...change.table.CLIENT, 'ConditionCheckItem'],
  INVOICE: ['GetItem', 'PutItem'],
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

/** The billing page reads the subscription with its client, the application and the invoices. */
export const billingTable = {
  SUBSCRIPTION: ['GetItem', 'Query'],
  CLIENT: ['BatchGetItem'],
  APP: ['GetItem'],
} as const;

/** Its forms change the subscription as an application does, the name of the client, and the version of the link. */
export const billingChangeTable = {
  ...change.table,
} as const;

/** A creation reads its inputs in one batch, and is written once per idempotency key. */
export const creationTable = {
  ...changeTable,
  CLIENT: ['BatchGetItem', 'ConditionCheckItem', 'UpdateItem', 'PutItem'],
  APP: ['GetItem', 'BatchGetItem'],
  PLAN: ['GetItem', 'BatchGetItem'],
  IDEMPOTENCY: ['GetItem', 'PutItem'],
  REFERENCE: ['PutItem'],
} as const;

/** A step reads its inputs and the latest invoices, and writes the change, the outbox and the events. */
export const stepTable = change.table;

/** A delivery reads the outbox, the invoice and the client of an entry, counts its mail, and leases and finishes the entry. */
export const deliveryTable = {
  SUBSCRIPTION: ['GetItem', 'Query', 'UpdateItem'],
  CLIENT: ['GetItem', 'BatchGetItem'],
  APP: ['GetItem'],
  QUOTA: ['UpdateItem', 'BatchGetItem'],
} as const;

/** A change of plan reads the invoices that a credit note corrects, and is written once per idempotency key. */
export const planChangeTable = {
  ...change.table,
  CLIENT: [...change.table.CLIENT, 'UpdateItem'],
  IDEMPOTENCY: ['GetItem', 'PutItem'],
} as const;

/** A preview reads what the change reads, and writes nothing. */
export const planChangePreviewTable = {
  SUBSCRIPTION: ['GetItem', 'Query'],
  CLIENT: ['BatchGetItem'],
  APP: ['GetItem'],
  PLAN: ['GetItem'],
} as const;

/** The items that every change of a subscription reads and writes. */
const changeTable = {
  SUBSCRIPTION: ['GetItem', 'PutItem', 'UpdateItem'],
  // The end of a subscription gives the client credit for what an open invoice had received.
  CLIENT: ['BatchGetItem', 'PutItem', 'UpdateItem'],
  INVOICE: ['PutItem'],
  // So do the payments of which it had received a part.
  PAYMENT: ['GetItem', 'PutItem'],
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

import { change } from '../subscriptions/grants.ts';

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

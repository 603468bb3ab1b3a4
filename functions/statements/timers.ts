import { defineTimers } from '../shared/contract/route.ts';
import * as grants from '../subscriptions/api/grants.ts';

export const timers = defineTimers({
  'import-statement': {
    summary: 'Records entries of a bank statement as payments, for a minute.',
    // A minute of work, the part that is begun in it, and calls to the table that are retried.
    timeoutSeconds: 180,
    grants: {
      table: {
        ...grants.paymentTable,
        PAYMENT: ['GetItem', 'PutItem'],
        REFERENCE: ['GetItem'],
        BANKSTATEMENT: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
      },
      uses: ['timers'],
    },
  },
});

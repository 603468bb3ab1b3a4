import { paymentTable } from '../payments/grants.ts';
import { defineTimers } from '../shared/contract/route.ts';

export const timers = defineTimers({
  'run-import': {
    summary: 'Records entries of a bank statement as payments, for a minute.',
    // A minute of work, the part that is begun in it, and calls to the table that are retried.
    timeoutSeconds: 180,
    grants: {
      table: {
        ...paymentTable,
        PAYMENT: ['GetItem', 'PutItem'],
        REFERENCE: ['GetItem'],
        BANKSTATEMENT: ['GetItem', 'BatchGetItem', 'PutItem', 'UpdateItem'],
      },
      uses: ['timers'],
    },
  },
});

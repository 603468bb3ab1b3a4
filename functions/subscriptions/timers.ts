import { defineTimers } from '../shared/contract.ts';

/** What a step and an entry of the outbox read and write. */
const table = {
  SUBSCRIPTION: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
  CLIENT: ['GetItem', 'BatchGetItem', 'UpdateItem', 'PutItem'],
  INVOICE: ['PutItem'],
  APP: ['GetItem', 'BatchGetItem'],
  PLAN: ['GetItem', 'BatchGetItem'],
} as const;
/** What the invoices that mails carry need where names are not in Western European letters. */
const files = ['invoice-font.ttf'];

export const timers = defineTimers({
  step: {
    summary: 'Takes the step of a subscription that is due, and sends its mails.',
    grants: { table, files, uses: ['timers', 'rawMail', 'deploymentKey', 'stripe'] },
  },
  sweep: {
    summary: 'Starts the timers that are due soon, and those that were lost.',
    everyMinutes: 360,
    grants: {
      table: { CLIENT: ['GetItem', 'UpdateItem'] },
      indexes: { due: ['TIMER'] },
      uses: ['timers'],
    },
  },
  outbox: {
    summary: 'Sends the mails about subscriptions that are still due, and closes checkouts.',
    everyMinutes: 5,
    grants: { table, files, indexes: { due: ['OUTBOX'] }, uses: ['rawMail', 'deploymentKey', 'stripe'] },
  },
});

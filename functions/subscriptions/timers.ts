import { defineTimers } from '../shared/contract/route.ts';

/** What an entry of the outbox reads and writes. */
const delivering = {
  SUBSCRIPTION: ['GetItem', 'UpdateItem'],
  CLIENT: ['BatchGetItem'],
  APP: ['GetItem'],
} as const;
/** What a step does beside that. */
const stepping = {
  SUBSCRIPTION: ['GetItem', 'Query', 'PutItem', 'UpdateItem'],
  CLIENT: ['BatchGetItem', 'PutItem'],
  INVOICE: ['PutItem'],
  APP: ['GetItem'],
  PLAN: ['GetItem'],
} as const;
/** What the invoices that mails carry need where names are not in Western European letters. */
const files = ['invoice-font.ttf'];

export const timers = defineTimers({
  'run-step': {
    summary: 'Takes the step of a subscription that is due, and sends its mails.',
    grants: { table: stepping, files, uses: ['timers', 'rawMail', 'deploymentKey', 'stripe'] },
  },
  'sweep-timers': {
    summary: 'Starts the timers that are due soon, and those that were lost.',
    everyMinutes: 360,
    grants: {
      table: { CLIENT: ['UpdateItem'] },
      indexes: { due: ['TIMER'] },
      uses: ['timers', 'watchTimers'],
    },
  },
  'drain-outbox': {
    summary: 'Sends the mails about subscriptions that are still due, and closes checkouts.',
    everyMinutes: 5,
    grants: {
      table: delivering,
      files,
      indexes: { due: ['OUTBOX'] },
      uses: ['rawMail', 'deploymentKey', 'stripe'],
    },
  },
});

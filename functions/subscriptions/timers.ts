import { defineTimers } from '../shared/contract/route.ts';

/** The delivery of an outbox entry. The font is for invoices with names beyond Western European letters. */
const delivery = {
  table: {
    SUBSCRIPTION: ['GetItem', 'Query', 'UpdateItem'],
    CLIENT: ['BatchGetItem'],
    APP: ['GetItem'],
  },
  files: ['invoice-font.ttf'],
  uses: ['rawMail', 'deploymentKey', 'stripe'],
} as const;

export const timers = defineTimers({
  'run-step': {
    summary: 'Takes the step of a subscription that is due.',
    grants: {
      table: {
        SUBSCRIPTION: ['PutItem', 'UpdateItem'],
        CLIENT: ['BatchGetItem', 'PutItem'],
        INVOICE: ['PutItem'],
        APP: ['GetItem'],
        PLAN: ['GetItem'],
      },
      uses: ['timers'],
    },
  },
  'deliver-outbox': {
    summary: 'Sends the mails that a subscription has left to send, and closes its checkouts.',
    grants: delivery,
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
      ...delivery,
      table: { ...delivery.table, SUBSCRIPTION: ['GetItem', 'UpdateItem'] },
      indexes: { due: ['OUTBOX'] },
    },
  },
});

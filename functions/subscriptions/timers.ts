import { defineTimers } from '../shared/contract/route.ts';
import { deliveryTable, stepTable } from './grants.ts';

/** The font of invoices in mails, for names beyond Western European letters. */
const files = ['invoice-font.ttf'];

export const timers = defineTimers({
  'run-step': {
    summary: 'Takes the due steps of a subscription and sends its mails.',
    grants: { table: stepTable, files, uses: ['timers', 'rawMail', 'deploymentKey', 'stripe'] },
  },
  'sweep-timers': {
    summary: 'Starts executions for timers that are due soon, and for those that were lost.',
    everyMinutes: 360,
    grants: {
      table: { CLIENT: ['UpdateItem'] },
      indexes: { due: ['TIMER'] },
      uses: ['timers', 'watchTimers'],
    },
  },
  'drain-outbox': {
    summary: 'Delivers what is left in outboxes: sends mails and closes checkouts.',
    everyMinutes: 5,
    grants: {
      table: deliveryTable,
      files,
      indexes: { due: ['OUTBOX'] },
      uses: ['rawMail', 'deploymentKey', 'stripe'],
    },
  },
});

import { defineTimers } from '../shared/contract/route.ts';
import { deliveryTable, stepTable } from './api/grants.ts';

/** The font of invoices in mails, for names with characters other than Western European letters. */
const files = ['invoice-fonts.bin'];
const deliveryUses = ['rawMail', 'deploymentKey', 'stripe'] as const;

export const timers = defineTimers({
  'run-step': {
    summary: 'Takes the due steps of a subscription.',
    grants: { table: stepTable, uses: ['timers'] },
  },
  'deliver-outbox': {
    summary: 'Delivers new outbox entries: sends mails and closes checkouts.',
    stream: { partitions: 'SUBSCRIPTION', sortKeyPrefix: 'OUTBOX#' },
    grants: { table: deliveryTable, files, uses: deliveryUses },
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
    summary: 'Delivers outbox entries that are overdue: sends mails and closes checkouts.',
    everyMinutes: 5,
    grants: {
      table: deliveryTable,
      files,
      uses: deliveryUses,
      indexes: { due: ['OUTBOX', 'HELD'] },
    },
  },
});

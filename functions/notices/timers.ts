import { defineTimers } from '../shared/contract/route.ts';
import { deliveryTable } from './grants.ts';

/** The font of invoices in mails, for names with characters other than Western European letters. */
const files = ['invoice-fonts.bin'];
const deliveryUses = ['rawMail', 'deploymentKey', 'stripe'] as const;

export const timers = defineTimers({
  deliver: {
    summary: 'Delivers new outbox entries: sends mails and closes checkouts.',
    stream: { partitions: 'SUBSCRIPTION', sortKeyPrefix: 'OUTBOX#' },
    grants: { table: deliveryTable, files, uses: deliveryUses },
  },
  drain: {
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

import { defineTimers } from '../shared/contract/route.ts';

/** A delivery reads the outbox, the invoice and the client of an entry, stores the documents that its mail has, counts its mail, and leases and finishes the entry. */
const deliveryTable = {
  SUBSCRIPTION: ['GetItem', 'Query', 'UpdateItem'],
  DOCUMENT: ['GetItem', 'PutItem'],
  CLIENT: ['GetItem', 'BatchGetItem'],
  APP: ['GetItem'],
  QUOTA: ['UpdateItem', 'BatchGetItem'],
} as const;

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

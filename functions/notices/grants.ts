/** A delivery reads the outbox, the invoice and the client of an entry, counts its mail, and leases and finishes the entry. */
export const deliveryTable = {
  SUBSCRIPTION: ['GetItem', 'Query', 'UpdateItem'],
  CLIENT: ['GetItem', 'BatchGetItem'],
  APP: ['GetItem'],
  QUOTA: ['UpdateItem', 'BatchGetItem'],
} as const;

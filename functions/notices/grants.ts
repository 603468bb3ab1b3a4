/** A delivery reads the outbox, the invoice and the client of an entry, stores the documents that its mail has, counts its mail, and leases and finishes the entry. */
export const deliveryTable = {
  SUBSCRIPTION: ['GetItem', 'Query', 'UpdateItem'],
  DOCUMENT: ['GetItem', 'PutItem'],
  CLIENT: ['GetItem', 'BatchGetItem'],
  APP: ['GetItem'],
  QUOTA: ['UpdateItem', 'BatchGetItem'],
} as const;

/** The default of each setting. Apart from the schemas: a function that only reads settings carries none of them. */
export const defaultSettings = {
  paymentGateway: 'none',
  dunning: { reminderDays: [0, 2, 7, 14], endsAfterDays: 21, graceDays: 7, newTermStart: 'old_end' },
  trial: { oncePerClient: true, reminderDays: 3 },
  invoices: {
    renewalDays: 7,
    dueDays: 7,
    numbering: 'subscription',
    invoicePrefix: 'INV-',
    creditNotePrefix: 'CRN-',
  },
  tax: {
    pricesInclude: 'inclusive',
    reverseCharge: false,
    withoutCountry: 'seller_rate',
    badDebts: 'reduce',
  },
  payments: { tolerance: 0, reviveDays: 14, onRefund: 'keep', processingAccess: 'unchanged' },
  billingPage: {
    enabled: true,
    pay: true,
    cancel: true,
    undoCancel: true,
    invoiceName: true,
    replaceLink: true,
  },
  datev: { fiscalYearStart: '01-01', accountLength: 4 },
  timeZone: 'UTC',
  pendingAccess: 'none',
  checkoutMinutes: 1_440,
  pkceOptional: false,
  public: false,
} as const;

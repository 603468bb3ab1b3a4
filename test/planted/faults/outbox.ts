import type { Area } from '../fault.ts';

export const outbox: Area = {
  'A mail that the stream hands over twice is sent once.': {
    'functions/notices/outbox/store.ts: the lease of a mail is not compared': [
      'leasedUntilMs <= :now AND (',
      '(leasedUntilMs <= :now OR leasedUntilMs > :now) AND (',
    ],
  },
  'No mail contradicts another one or the state, and a mail about money says what came of it.': {
    'functions/notices/outbox/deliver.ts: a mail that is no longer true is sent': [
      "if (isStale && entry.creditNoteNs === undefined) return { how: 'droppedAtMs' };",
    ],
    'functions/subscriptions/machine/effects/ends.ts: a subscriber is not told that the invoice of a superseded subscription is void':
      [
        'if (hasMailedInvoice || creditGained(draft) !== undefined)',
        'if (creditGained(draft) !== undefined)',
      ],
    'functions/payments/settle/reallocate.ts: a reallocation sends a mail beside that of a late step': [
      'subscription?.revision === revision ?',
      'subscription?.revision === -1 ?',
    ],
    'functions/subscriptions/record/mail-rules.ts: a reallocation between invoices of a subscription has two mails':
      ["payment_moved: { ...news, recalled: 'always' },", 'payment_moved: news,'],
    'functions/notices/outbox/deliver.ts: a mail comes without its credit notes': [
      'creditNoteNs.map(async (n) => {',
      'creditNoteNs.slice(1).map(async (n) => {',
    ],
  },
  'An application sends each mailbox at most so many mails in a day.': {
    'functions/notices/outbox/deliver.ts: a used quota is ignored': [
      'if (!decision.isAllowed) return decision;',
    ],
    'functions/notices/outbox/mail-quota-store.ts: the quota lets one mail too many through': [
      'attribute_not_exists(#count) OR #count < :max',
      'attribute_not_exists(#count) OR #count <= :max',
    ],
  },
  'Texts of tenants become no link, and are marked as theirs.': {
    'functions/shared/html/text.ts: an address in a text of a tenant can become a link': [
      "    .replace(/\\s*([@\\uFF20])\\s*/gu, ' $1 ')\n",
    ],
  },
};

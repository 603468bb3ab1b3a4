import type { Area } from '../fault.ts';

export const outbox: Area = {
  'test/handlers/functions/notices/outbox/outbox.test.ts': {
    'functions/notices/outbox/deliver.ts: operators read the address of a billing page in a mail': [
      'withoutLinks(content, [payUrl, billingUrl])',
      'withoutLinks(content, [payUrl])',
    ],
    'functions/notices/outbox/store.ts: a try that sent nothing counts as a copy': [
      "':dueAt': isoTime(retryAtMs),\n        ':copies': possibleCopies - 1,",
      "':dueAt': isoTime(retryAtMs),\n        ':copies': possibleCopies,",
    ],
    'functions/subscriptions/commands/outbox-store.ts: the outbox does not record that a mail was given up': [
      'SET givenUpAtMs = :now, failure = :failure',
      'SET failedAtMs = :now, failure = :failure',
    ],
    'functions/notices/deliver.ts: later mails of a subscription come first': [
      'a.revision - b.revision || a.position',
      'b.revision - a.revision || a.position',
    ],
  },
  'test/handlers/functions/notices/outbox/cancellations.test.ts': {
    'functions/subscriptions/machine/books.ts: a mail about an end offers credit that a debt has used up': [
      'leftMinor === 0 && creditMinor === undefined',
      'leftMinor === 0',
    ],
    'functions/subscriptions/machine/draft.ts: a checkout whose invoice was mailed ends without a mail': [
      '{ ...open, isMailed: true }',
      'open',
    ],
  },
  'test/handlers/functions/payments/pay-out.test.ts': {
    'functions/subscriptions/machine/effects/payments.ts: the mail about credit that is sent back does not say that it was credit':
      ['creditMinor: -amountMinor, '],
  },
  'test/pure/functions/subscriptions/machine/merged-mails.test.ts': {
    'functions/subscriptions/machine/merged-mails.ts: a credit note beside a request for another payment has a mail of its own':
      ["ruleOf(other).about === 'credit'", "other.mail.template === 'payment_credited'"],
    'functions/subscriptions/machine/merged-mails.ts: a mail about an end states credit that the client no longer has':
      ['ends.map((one) => withCredit(one, draft))', 'ends'],
  },
  'A mail that the stream hands over twice is sent once.': {
    'functions/notices/outbox/store.ts: the lease of a mail is not compared': [
      'leasedUntilMs <= :now AND (',
      '(leasedUntilMs <= :now OR leasedUntilMs > :now) AND (',
    ],
  },
  'test/handlers/functions/notices/outbox/store.test.ts': {
    'functions/notices/outbox/store.ts: a mail is leased from an earlier reading': [
      ' OR possibleCopies = :previous)',
      ' OR possibleCopies >= :previous)',
    ],
  },
  'test/handlers/functions/notices/outbox/mail-quota.test.ts': {
    'functions/notices/drain.ts: held mails are never due again': ['    outbox.heldPages(shard, nowMs),\n'],
  },
  'test/handlers/functions/notices/outbox/copies.test.ts': {
    'functions/notices/outbox/deliver.ts: a try that may have sent the mail releases its lease': [
      'if (!isPossiblySent) await deps.outbox.release',
      'await deps.outbox.release',
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
  'test/handlers/functions/notices/outbox/documents.test.ts': {
    'functions/notices/outbox/deliver.ts: a later mail draws its invoice anew': [
      'mailed?.pdf ?? (await documentStore.keep(id, await render()))',
      'await render()',
    ],
    'functions/invoices/document/replies.ts: an invoice that was mailed is read as it would be drawn now': [
      'mailed?.pdf ?? (await invoicePdf(invoice))',
      'await invoicePdf(invoice)',
    ],
  },
  'test/pure/functions/invoices/document/content.test.ts': {
    'functions/invoices/document/issued.ts: the document of an invoice has the credit of today': [
      'const { fromCreditMinor = 0, carriedMinor = 0 } = settledAtIssue ?? {};',
      'const { fromCreditMinor = 0, carriedMinor = 0 } = invoice.settled ?? {};',
    ],
  },
  'Texts of tenants become no link, and are marked as theirs.': {
    'functions/shared/html/text.ts: an address in a text of a tenant can become a link': [
      "    .replace(/\\s*([@\\uFF20])\\s*/gu, ' $1 ')\n",
    ],
  },
};

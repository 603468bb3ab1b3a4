import type { Area } from '../fault.ts';

export const finance: Area = {
  'No record is missed or repeated over pages while records change.': {
    'functions/shared/lists/indexed-list.ts: the last record of a page is on the next page too': [
      'if (value.listedAt !== this.#after) return value;',
      'return value;',
    ],
  },
  'A record of another application or user is as absent as one that does not exist.': {
    'functions/shared/lists/partitions.ts: a cursor continues the list of another application': [
      'scope: [kind, seller.applicationId, ...statuses]',
      'scope: [kind, ...statuses]',
    ],
    'functions/statements/import/match-store.ts: the application of a reference number is not compared': [
      'owners.map(readOwner).filter((owner) => owner.applicationId === applicationId);\n    const items = await batchGet(\n      own.map(({ externalId, subscriptionId }) =>\n',
      'owners.map(readOwner);\n    const items = await batchGet(\n      own.map(({ applicationId, externalId, subscriptionId }) =>\n',
    ],
  },
  'An application has one bank statement read at a time.': {
    'functions/statements/import/dry-run.ts: an application has several statements read at a time': [
      "group: 'bank-statement', max: 1,",
      "group: 'bank-statement', max: 10,",
    ],
  },
  'Money that a number cannot hold exactly is refused.': {
    'functions/statements/import/dry-run.ts: credits with too large a sum are taken': [
      'if (!Object.values(totals).every(Number.isSafeInteger))',
      'if (!Object.values(totals).every(Number.isFinite))',
    ],
  },
  'An import of a bank statement that is killed loses no entry.': {
    'functions/statements/import/import-parts.ts: the entries of a killed run are duplicates': [
      "kind === 'changed' || payment.recordedAtMs >= confirmedAtMs",
      "kind === 'changed' || payment.recordedAtMs >= confirmedAtMs * 2",
    ],
  },
  'No text of a payer is taken for a reference number unless it is one.': {
    'functions/statements/import/import-parts.ts: a text that only contains a number pays': [
      "entry.match === 'matched' ? entry.candidates : []",
      'entryCandidates(entry)',
    ],
  },
  'Text of strangers in names and references runs in no spreadsheet, and hides nothing there.': {
    'functions/shared/lists/csv.ts: a text of an export begins a formula': [
      '.replaceAll(formulaStarts, "\'");',
      ';',
    ],
  },
  'A bank statement expands no entity and reads no other file.': {
    'functions/statements/import/file/bounds.ts: a document type is read': [
      "if (starts('<!')) throw new UnreadableFile('must have no document type declaration');",
      "if (starts('<!')) return rest.indexOf('>') + 1;",
    ],
  },
  'A bank statement of some KB cannot exhaust a function.': {
    'functions/statements/import/file/bounds.ts: the cells of a file are not counted': [
      'code === 0x09) cells += 1;',
      'code === 0x09) cells = 1;',
    ],
  },
  'A transfer is one payment, in any number of files that are imported at once.': {
    'functions/statements/import/source-id.ts: an entry has another id in each file': [
      "return hashOf(['id', bankId, ...described]);",
      "return hashOf(['id', bankId, Math.random(), ...described]);",
    ],
  },
  'Control characters and direction overrides of a bank statement are not stored.': {
    'functions/statements/import/file/bounds.ts: a control character of a file is stored': [
      '[\\p{Cc}\\p{Zl}\\p{Zp}\\u202A-\\u202E\\u2066-\\u2069\\s]+',
      '[\\p{Zl}\\p{Zp}\\s]+',
    ],
  },
  'A payment that is reported any number of times at once buys one term.': {
    'functions/payments/create.ts: a payment has another id each time that it is reported': [
      'const sourceId = body.paymentId ?? randomToken();',
      'const sourceId = randomToken();',
    ],
  },
  'The credit notes of an invoice that is credited whole add up to its tax.': {
    'functions/invoices/tax.ts: the tax of a credit note is rounded by itself': [
      'upTo(ofMinor, fromMinor + amountMinor) - upTo(ofMinor, fromMinor)',
      'upTo(ofMinor, amountMinor)',
    ],
  },
  'Credit is paid out once for each id, and never more than there is.': {
    'functions/payments/pay-out.ts: more credit is paid out than there is': [
      'amountMinor > creditMinor',
      'amountMinor < 0',
    ],
    'functions/payments/pay-out-store.ts: the id of a pay-out is that of several': [
      'ConditionExpression: notExists,',
    ],
  },
};

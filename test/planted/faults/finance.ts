import type { Area } from '../fault.ts';

export const finance: Area = {
  'test/handlers/functions/payments/settle/recall-after-return.test.ts': {
    'functions/payments/settle/claims.ts: a debt that a recall made stays when the money comes back': [
      'if (debt !== undefined && debtor !== undefined) {',
      'if (debt !== undefined && debtor !== undefined && money.amountMinor < 0) {',
    ],
    'functions/statements/import/reversals.ts: a transfer of the seller in a bank statement is taken for a recall':
      ['isOfOther(one) || isOfSeller(one)', 'isOfOther(one)'],
  },
  'test/handlers/functions/statements/import/reversals.test.ts': {
    'functions/statements/import/reversals.ts: two reversals of a file take the same payment back': [
      '    reversibles = reversibles.map((one) => takenBy(one, reverses, entry));\n',
    ],
    'functions/payments/settle/bank-entry-store.ts: an entry takes back each payment for which it is decided':
      [
        '...keys.bankEntry(entry.applicationId, entry.entryId)',
        '...keys.bankEntry(entry.applicationId, entry.entryId + entry.paymentId)',
      ],
  },
  'No record is missed or repeated over pages while records change.': {
    'functions/shared/lists/indexed-list.ts: the last record of a page is on the next page too': [
      'if (value.listedAt !== this.#after) return value;',
      'return value;',
    ],
  },
  'test/handlers/functions/forged-cursors.test.ts': {
    'functions/shared/lambda/cursor.ts: a forged place is longer than a sort key': [
      'Buffer.byteLength(text) <= maxPlaceBytes',
      'text.length <= maxPlaceBytes',
    ],
  },
  'test/handlers/functions/shared/lists/lists.test.ts': {
    'functions/shared/lists/indexed-list.ts: a cursor continues under other filters': [
      '...source.scope, ...filters]',
      '...source.scope]',
    ],
    'functions/shared/lists/partitions.ts: a shard of the lists is not read': [
      'Array.from({ length: listShards }, (_, shard) => shard)',
      'Array.from({ length: listShards - 1 }, (_, shard) => shard)',
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
  'test/handlers/functions/payments/payments.test.ts': {
    'functions/payments/create.ts: a payment under a key has a new id each time': [
      'receivePayment({ ...incoming, ...bound }, audit)',
      'receivePayment(incoming, audit)',
    ],
  },
  'test/handlers/functions/reports/prepared-report.test.ts': {
    'functions/reports/prepare.ts: the lease of a report is not compared': [
      '(stored.leasedUntilMs > nowMs ||',
      '(stored.leasedUntilMs > nowMs * 2 ||',
    ],
    'functions/reports/store.ts: a report is stored over that of a concurrent request': [
      'OR #version = :before OR',
      'OR #version >= :before OR',
    ],
  },
  'test/handlers/functions/reports/tax-report.test.ts': {
    'functions/reports/prepare.ts: a tax report has the days of UTC': [
      'periodOf(query, timeZone)',
      'periodOf(query)',
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
  'test/handlers/functions/statements/import/import.test.ts': {
    'functions/statements/import/match-store.ts: a decision names a record of another application': [
      'items.filter((item) => item.applicationId === applicationId).map(({ pk }) => idByKey',
      'items.map(({ pk }) => idByKey',
    ],
    'functions/statements/import/store.ts: a statement is confirmed twice with different decisions': [
      'AND #status = :ready AND ',
      'AND (#status = :ready OR #status <> :ready) AND ',
    ],
    'functions/statements/import/import-parts.ts: a transfer that is recorded is recorded again': [
      "if (match === 'duplicate') return",
      "if (match === 'duplicate' && n === 0) return",
    ],
  },
  'test/handlers/functions/journal/closed-month.test.ts': {
    'functions/ledger/claims.ts: a reversal has the time of its import': [
      'latest.valueAtMs ?? latest.atMs',
      'latest.atMs',
    ],
    'functions/journal/booked-record.ts: the day of a bank is moved into the time zone of the seller': [
      'isDay ? undefined : timeZone',
      'isDay ? timeZone : timeZone',
    ],
    'functions/ledger/journal-store.ts: the journal leaves out the day of a bank that began some minutes ago':
      ['valueAtMs % dayMs === 0 || quarterOf', 'quarterOf'],
  },
  'test/handlers/functions/statements/import/split.test.ts': {
    'functions/statements/import/import-parts.ts: a transfer that is divided pays the reference in its text first':
      ['return { waitingText: referenceOf(text) };', 'return { reference: referenceOf(text) };'],
    'functions/statements/import/confirmation.ts: a transfer is divided by amounts that do not add up to it':
      ['return sum === entry.amountMinor ? undefined', 'return sum > 0 ? undefined'],
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
  'test/handlers/functions/payments/settle/settlement.test.ts': {
    'functions/payments/settle/writes.ts: a payment that meets another write is refused': [
      "if (outcome.kind === 'conflict') return outcome;",
    ],
  },
  'The credit notes of an invoice that is credited whole add up to its tax.': {
    'functions/invoices/tax.ts: the tax of a credit note is rounded by itself': [
      'upTo(ofMinor, fromMinor + amountMinor) - upTo(ofMinor, fromMinor)',
      'upTo(ofMinor, amountMinor)',
    ],
  },
  'test/pure/functions/journal/formats.test.ts': {
    'functions/journal/datev.ts: a row for DATEV debits the account that it credits': [
      'Konto: accountOf(debit, sale, settings)',
      'Konto: accountOf(credit, sale, settings)',
    ],
  },
  'test/handlers/functions/journal/list.test.ts': {
    'functions/shared/contract/keys.ts: applications share the partitions of lists': [
      "partition('LIST', applicationId, list, status, String(shard))",
      "partition('LIST', 'all', list, status, String(shard))",
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
  'test/handlers/functions/reports/receivables-report.test.ts': {
    'functions/invoices/due.ts: a report of receivables takes a payment of its own millisecond for an earlier one':
      ['bookedAtMs < beforeMs', 'bookedAtMs <= beforeMs'],
  },
  'test/handlers/functions/subscriptions/credit-invoice.test.ts': {
    'functions/subscriptions/machine/transitions.ts: a credit note buys the first term': [
      "{ from: 'pending', to: 'cancelled', guard: creditsAll, effect: end, announces: ['cancelled'] },",
    ],
    'functions/subscriptions/commands/subscription-store.ts: an invoice with tax becomes void without a document':
      ['for (const change of changes) addCancellationNotes(change, invoices);'],
    'functions/payments/settle/placement.ts: a void invoice with tax is open again': [
      "const isCancelled = invoice.status === 'void' && isTaxed(invoice);",
      "const isCancelled = invoice.status === 'void' && !isTaxed(invoice);",
    ],
    'functions/reports/revenue.ts: the report counts a cancellation twice': [
      "if (reason !== 'cancellation') this",
      'this',
    ],
    'functions/subscriptions/commands/credit-invoice-command.ts: a repeat of a request for a credit note is a request of its own':
      ['return earlier ?? executeOnce(', 'return executeOnce('],
  },
};

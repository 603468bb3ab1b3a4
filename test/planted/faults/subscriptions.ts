import type { Area } from '../fault.ts';

export const subscriptions: Area = {
  'An event is written once, with its change, or not at all, whatever answers are lost.': {
    'functions/subscriptions/commands/subscription-store.ts: of the events of a change only the first is written':
      [
        'return source === undefined ? [] : eventWrites(source, events);',
        'return source === undefined ? [] : eventWrites(source, events.slice(0, 1));',
      ],
  },
  'An event shows no field that the API does not show.': {
    'functions/subscriptions/commands/subscription-store.ts: an event shows the access of another time than that of the change':
      ['data: toSubscriptionResponse(next, updatedAtMs),', 'data: toSubscriptionResponse(next, 0),'],
  },
  "The seller's numbers have no gap and none twice.": {
    'functions/subscriptions/commands/number-series-store.ts: the number of an invoice is given over a newer one':
      [
        "'invoices = :readInvoices AND creditNotes = :readCreditNotes'",
        "'invoices >= :readInvoices AND creditNotes >= :readCreditNotes'",
      ],
    'functions/subscriptions/commands/subscription-store.ts: a renewal takes a number, and the counter is not in its transaction':
      ['        ...numberWrites,'],
  },
  'A debt of a client is asked for once, and no refund or dispute loses it.': {
    'functions/ledger/entry.ts: credit replaces what the client had': [
      '(credit[currency] ?? 0) + creditedMinor(entries, currency),',
      'creditedMinor(entries, currency),',
    ],
  },
  'A record of another application or user is as absent as one that does not exist.': {
    'functions/subscriptions/commands/subscription-queries.ts: a subscription of another application is found':
      [
        'return ofApplication(applicationId, await getRecord(keys.subscriptionOwner(subscriptionId), readOwner));',
        'return getRecord(keys.subscriptionOwner(subscriptionId), readOwner);',
      ],
  },
  'Money that waits is applied or returned, not both.': {
    'functions/ledger/payment-store.ts: a payment is written over a newer change of it': [
      "ConditionExpression: '#revision = :revision',",
      "ConditionExpression: '#revision >= :revision',",
    ],
  },
  'A payment is applied once.': {
    'functions/ledger/payment-store.ts: a payment is recorded over the record of the same payment': [
      'if (read === undefined) return { ConditionExpression: notExists };',
      "if (read === undefined) return { ConditionExpression: 'attribute_not_exists(nothing)' };",
    ],
  },
  'A reversal and its end take effect once, in any order.': {
    'functions/ledger/claims.ts: the end of a dispute counts as repeated when it is reported before the dispute':
      [
        'if (known !== undefined && (known.isWon || known.atMs > atMs)) return undefined;',
        'if (known === undefined || known.isWon || known.atMs > atMs) return undefined;',
      ],
  },
  'A client has no credit of a term that was refunded.': {
    'functions/subscriptions/machine/effects/payments.ts: a refund leaves the credit that a change of plan gave for the same money':
      ['book(draft, ...takenFromCredit({ n, currency, settled }, dueAfter(draft, invoice)));'],
  },
  'No cent is without a fate, and no paid day is lost or given twice.': {
    'functions/subscriptions/commands/client-subscriptions-store.ts: what is left of a payment is no credit':
      ['books.filter(movesCredit)', "books.filter((one) => movesCredit(one) && one.kind !== 'payment')"],
  },
  'A repeat of `activate` pays nothing and changes nothing.': {
    'functions/payments/settle/pay-open-invoices.ts: a repeated activate answers with the subscription as it is by then':
      [
        'if (payment.answered !== undefined) return toChangeResponse(asAnswered(subscription, payment.answered));',
      ],
  },
  'A link to an invoice shows and pays that invoice only.': {
    'functions/invoices/payment-link.ts: every end of a link to an invoice is taken for its keyed hash': [
      'isEqualInConstantTime(token.slice(dot + 1), await mac(invoiceId))',
      'token.length > 0 && (await mac(invoiceId)).length > 0',
    ],
  },
  'Access follows from dates, so that a late timer changes none.': {
    'functions/subscriptions/record/access.ts: a trial grants access after its end': [
      'return nowMs < subscription.trialEndMs || becomesActive(subscription)',
      'return subscription.trialEndMs > 0 || becomesActive(subscription)',
    ],
  },
  'Grace cannot be had again and again without a payment.': {
    'functions/subscriptions/machine/first-term.ts: the days of grace that were used are no part of the next term':
      ['return Math.max(fromMs, nowMs - graceMs);', 'return nowMs;'],
  },
  'A preview of a change is exact.': {
    'functions/subscriptions/machine/decide.ts: the renewal invoice that a change makes due is missing from its preview':
      [', ...takeStep(draft, alsoTakes)]', ']'],
  },
  'A preview of a change writes nothing.': {
    'functions/subscriptions/change-preview.ts: a preview of a change writes the steps that are due': [
      'write: () => Promise.resolve(true) }',
      'write: subscriptionStore.write }',
    ],
  },
  'The end of a subscription is moved once.': {
    'functions/subscriptions/update.ts: the end of a subscription is moved by the days that are asked for, again with each repeat':
      [
        "return { event: 'grant_days', untilMs, reason } as const;",
        "return { event: 'grant_days', untilMs: Math.max(untilMs, (current.termEndMs ?? 0) + dayMs), reason } as const;",
      ],
  },
  'A change of plan credits no more than was charged for the term.': {
    'functions/subscriptions/record/paid-terms.ts: the rest of a term is worth its price, whatever was credited of it':
      ['return Math.min(worth, charged);', 'return worth;'],
  },
};

/** Limits for the measured figures. A budget is a promise of the design, not a measurement. */
export const bundleKb = 400;

/**
 * Init and first call, as a multiple of a bare SDK handler that makes as many calls, measured in turn with it: where a
 * person waits, and where a program does.
 */
export const coldRatios = { waiting: 1.1, others: 1.25 };

/** Loads the transitions of subscriptions with their mails and invoices, of which a request needs one. */
const transition = { ratio: 1.55, reason: 'takes a transition of a subscription' };

/** Functions that may be slower to start, and why. */
export const coldExceptions: Readonly<Record<string, { ratio: number; reason: string }>> = {
  'subscriptions.create': transition,
  'subscriptions.cancel': transition,
  'subscriptions.update': transition,
  'payments.activate': transition,
  'subscriptions.pause': transition,
  'subscriptions.resume': transition,
  'subscriptions.uncancel': transition,
  'subscriptions.change': transition,
  'subscriptions.change-preview': transition,
  'payments.create': transition,
  'payments.return': transition,
  'payments.reverse': transition,
  'payments.reallocate': transition,
  'payments.pay-out': transition,
  'subscriptions.credit-invoice': transition,
  'payments.apply': transition,
  'console-operations.subscriptions': transition,
  'console-operations.payments': transition,
  'devices.check, located': { ratio: 1.75, reason: 'opens the geolocation files, once in a process' },
  'devices.trust': { ratio: 1.25, reason: 'writes a transaction, and renders the mail of an alert' },
  'oauth.token': { ratio: 1.25, reason: 'stores two tokens, a grant and an event in one transaction' },
  'oauth.consent-submit': { ratio: 1.25, reason: 'reads a form, and renders a mail' },
  'account.submit': { ratio: 1.25, reason: 'reads a form, and renders a mail' },
  'payments.checkout-show': { ratio: 1.25, reason: 'renders a page from four records' },
  'payments.checkout-submit': { ratio: 1.3, reason: 'settles a payment' },
  'portal.show': { ratio: 1.4, reason: 'renders a page from all records of a subscription' },
  'console.customer-show': { ratio: 1.4, reason: 'renders a page from all records of a subscription' },
  'console.customer-document': { ratio: 3, reason: 'draws a PDF' },
  'portal.invoice': { ratio: 3, reason: 'draws a PDF' },
  'notices.deliver': { ratio: 3.25, reason: 'draws the PDF that its mail has' },
  'reports.revenue-read': { ratio: 2, reason: 'counts the 1,500 records that it reads' },
  'invoices.list': { ratio: 1.5, reason: 'parses 600 invoices, of which it shows 30' },
  'webhooks.webhook-update': { ratio: 1.35, reason: 'checks the address of an endpoint' },
  'webhooks.webhook-remove': { ratio: 1.35, reason: 'removes a record and its secrets in a transaction' },
  'webhooks.event-list': { ratio: 1.5, reason: 'parses the events of three parts of the list' },
  'webhooks.sweep-deliveries': { ratio: 1.5, reason: 'reads every shard of two kinds of work' },
};

/** Bundles that may be larger, and why. */
export const bundleExceptions: Record<string, string> = {
  'console-operations.payments': 'carries out the six operations of payments, and renders their forms again',
  'console-operations.subscriptions':
    'carries out the seven operations of subscriptions, and renders their forms again',
  'console-operations.list': 'has the forms of all operations, and reads the records that they show',
  'console.customer-show':
    'shows all of a subscription with the forms of its operations; 37 KB of it, the machine, are loaded only while a step is late',
};

/** Round trips of a route or timer without a row below: a read, and the write that depends on it. */
const usualRoundTrips = 2;

/**
 * Sequential round trips to the table per request of a warm function, up to the outcome, for what fits one item;
 * by route or timer, or by case where a case differs.
 */
export const roundTrips: Record<string, number> = {
  // The claim, whose response has the payload; then the removal of the payload.
  'shares.open': 2,
  'shares.open repeated': 1,
  'shares.open repeated, 100 KiB': 1,
  // The head, with the count of wrong proofs, concurrent with the payload.
  'shares.open repeated, proof': 1,
  'shares.open repeated, 100 KiB, proof': 1,
  // The head, concurrent with the payload; then the claim of the view.
  'shares.open first of 2 views': 2,
  'shares.open first of 2 views, 100 KiB': 2,
  // The same; then the removal of the payload.
  'shares.open once, receipt': 3,
  'shares.open once, 100 KiB, receipt': 3,
  // Beyond 16 KiB the payload of a share with a proof is apart from its head.
  'shares.open once, 100 KiB, proof': 3,
  // A wrong proof ends the request.
  'shares.open wrong proof': 1,
  // The limit, concurrent with the head.
  'shares.receipt': 1,
  // The limit; the burn; then the removal of the payload.
  'shares.burn': 3,
  // The limit, concurrent with the refresh of a trusted device.
  'devices.check trusted': 1,
  // Without an id from the client the limit comes first: the lookup that identifies the device costs money.
  'devices.check trusted, by signals': 2,
  // The limit, concurrent with the refresh, which is refused; then the quarantine.
  'devices.check': 2,
  // A new device is counted in the user's list after it is written.
  'devices.check unknown': 3,
  // The devices that it displaces are removed.
  'devices.check unknown, 100 others': 4,
  'devices.check unknown, 400 others': 4,
  // The limit, concurrent with the mailbox; the transaction.
  'devices.code-send': 2,
  // The limit, concurrent with the tries of the block and the mailbox's verified sources; the counts, concurrent with the device
  // and the trusted ones; the transaction.
  'devices.trust': 3,
  // A wrong code ends the request.
  'devices.trust wrong': 2,
  'devices.list': 1,
  'devices.revoke': 1,
  // The limit, concurrent with device, proof and locks; then the vault.
  'vault.read': 2,
  // The same; then the count of wrong proofs of the address; then the count of all addresses.
  'vault.read small, wrong proof': 3,
  // The same as a read; then the head, which has the version; then the transaction.
  'vault.write': 3,
  // The limit, user and key, concurrently; then all links in one transaction.
  'links.submit': 2,
  // The response is stored under the key.
  'links.submit 1 link, sent again': 1,
  // The newest part of the list, concurrent with the limit; the parts after the cursor; the events.
  'webhooks.event-list': 3,
  // The event of the cursor; the newest part, which has nothing after it.
  'webhooks.event-list nothing new': 2,
  // The same three reads again, of more parts: the first eight have too few events that match.
  'webhooks.event-list 1 of 100 matches': 6,
  'webhooks.event-read': 1,
  // The limit, concurrent with the links; the secret is cached.
  'links.list': 1,
  'links.read': 1,
  // The limit counts the application, which the secret identifies.
  'links.read one, new secret': 2,
  // The limit of the user, concurrent with user, application and link; then the limit of the application.
  'links.read one, access token': 2,
  'links.read one, new access token': 3,
  'links.status': 1,
  'links.social-account-status': 1,
  // The link, user and limit; then the link with its history.
  'links.update': 2,
  'links.update nothing': 1,
  // All shards of the queue, concurrently.
  'links.review-list': 1,
  'links.user-link-list': 1,
  // All shards of the list, concurrently; then the decisions.
  'links.decision-list': 2,
  // The index has the owner of the link; then the link; then history, user and accounts.
  'links.review-read': 3,
  // The same, then the link with its history.
  'links.review-decide': 3,
  // The groups; the webhooks; the deliveries; the list with its newest part and the transaction.
  'webhooks.fan-out': 5,
  // Webhook, secrets, event and delivery, concurrently; the time of the failure; the note of the attempt.
  'webhooks.attempt': 3,
  // Overdue work; then the work of the fan-out; then overdue deliveries, and the claim of each batch.
  'webhooks.sweep-deliveries': 7,
  // The limit, concurrent with the webhook; the deliveries.
  'webhooks.delivery-list': 2,
  // The limit, concurrent with webhook and delivery; the delivery.
  'webhooks.delivery-retry': 2,
  'oauth.consent-show': 1,
  // The session identifies the user.
  'oauth.consent-show signed in': 2,
  // The application, which validates the request; then the limit, concurrent with the mailbox; then the transaction.
  'oauth.consent-submit send': 3,
  // The same with the attempt; then the owner of the address, the user, and the session. Rare, and a person waits.
  'oauth.consent-submit sign in': 6,
  // Application, session, user, code: an invalid request causes no lookup.
  'oauth.consent-submit allow': 4,
  'oauth.consent-submit deny': 1,
  'oauth.consent-submit switch': 2,
  // A browser without the cookie has no session.
  'account.show': 0,
  // The session identifies the user; devices, grants and users of the address, concurrently; then applications and profiles.
  'account.show signed in': 3,
  // The limit, concurrent with the mailbox; then the transaction.
  'account.submit send': 2,
  // The limits; the attempt; the users of the address, then their profiles; the session. Rare, and a person waits.
  'account.submit sign in': 5,
  // The session, the user, the transaction.
  'account.submit remove': 3,
  // The devices are read before.
  'account.submit keep': 4,
  // The session, the user, the grants; then each grant, concurrent with the user, and the transaction that revokes it.
  'account.submit withdraw': 5,
  'account.submit sign out': 1,
  // The session; the user and the proof, concurrent with the head of the grants and then the grants; the transaction.
  'account.submit sign out everywhere': 4,
  // The session with its operator key; the client, concurrent with a page of the subscriptions; the invoices of those.
  'console.client-show': 3,
  // The session; the owner; the invoice, concurrent with the PDF that was mailed.
  'console.customer-document': 3,
  // The session; the application; every shard of the index; the records; their clients.
  'console.customer-list': 5,
  // The session; the owner with invoices and timeline; all other records.
  'console.customer-show': 3,
  // The session with its operator key; each month of the year, one after the other; the actions.
  'console.audit': 15,
  // The session with its operator key; then every shard of what waits, concurrently.
  'console.home': 2,
  'console.home a stranger': 0,
  // The session with its operator key; every shard of the list; the applications.
  'console-money.home': 3,
  // The session with its operator key; the application; the lists and the stored reports; what they name; the names of clients.
  'console-money.show': 6,
  // The session with its operator key; every shard of the list; the applications.
  'console-developers.list': 3,
  // The session; the application with its requests and webhooks; the newest delivery of each webhook.
  'console-developers.show': 3,
  // The session; the application, concurrent with the response to a form that was sent before; the transaction.
  // The owner; the application with the client and the subscription; the transaction.
  'portal.link-mail': 4,
  'console-operations.list': 1,
  // The session with its operator key; then as the request of the operation.
  'console-operations.applications': 3,
  'console-operations.plans': 4,
  'console-operations.clients': 4,
  'console-operations.users': 4,
  'console-operations.subscriptions': 5,
  'console-operations.payments': 6,
  'console-operations.portal': 5,
  'console-operations.webhooks': 4,
  'console-operations.operator': 3,
  // The session; the application and the webhook; its secrets and deliveries, and an event.
  'console-developers.webhook-show': 3,
  // The session with its operator key; the application; every shard of the list; the statements.
  'console-money.statement-list': 4,
  // The session with its operator key; the application; the lease; then as the API.
  'console-money.statement-upload': 8,
  // The session with its operator key; the head; a part with its results.
  'console-money.statement-show': 3,
  // The session with its operator key; the head; the parts that the decisions are about; the head.
  'console-money.statement-action': 4,
  // The session with its operator key; then as the search of the API.
  'console.search': 3,
  // The session; the shards of the queue and of the decisions, concurrently; the applications and the claims, concurrently.
  'console.review-queue': 3,
  // The session; the queue; the claims; the claim.
  'console.review-next': 4,
  // The session; the id; the link; its history and user; the claim, concurrent with the queue and the decisions; the claims of the queue.
  'console.review-show': 6,
  // The session; the id; the link; the transaction; the next link as above.
  'console.review-submit': 7,
  // The limit; the secret; the session.
  'console.sign-in-submit': 3,
  'console.sign-in-submit a wrong key': 2,
  'console.sign-out': 1,
  // The application, concurrent with the limit; the code; the user; the transaction.
  'oauth.token': 4,
  // The application; the token; the family, concurrent with the user; the transaction.
  'oauth.token a refresh': 4,
  // The application, concurrent with the limit; both kinds of token; the removal.
  'oauth.revoke': 3,
  // The family is read before the transaction that revokes it.
  'oauth.revoke refresh token': 4,
  // Once an hour the use of the secret is noted, beside the rest: here there is nothing else.
  'oauth.revoke unknown token': 2,
  // Operators are few: a write that depends on a read takes two round trips.
  'applications.create': 1,
  'applications.read': 1,
  // All shards of the list, concurrently; then the records.
  'applications.list': 2,
  // The application is read before the transaction that merges the change.
  'applications.update': 2,
  // The entries of the month, then of each month before it while the page is not full; then the records.
  'operator.action-list': 14,
  'operator.audit-list': 1,
  // The owner of the record, or the users of the address; then the record, or their profiles. The secret is cached.
  'operator.search': 2,
  // The owner of the subscription, concurrent with its mails.
  'operator.subscription-mail-list': 1,
  'operator.operator-key-create': 1,
  'operator.operator-key-list': 1,
  // The former address is read as well, concurrent with the head of the grants; then the grants, which end with the address.
  'users.upsert': 4,
  'users.read': 1,
  // The user, the proof and the head of the vault, concurrent with the head of the grants and then the grants; the transaction.
  'users.reset': 3,
  'users.history': 1,
  // The user; the link. The mail follows.
  'users.enrolment-link-send': 2,
  // The grants, concurrent with the user; then the applications in one batch.
  'users.grant-list': 2,
  // The grant and the user are read before the transaction that revokes it.
  'users.grant-revoke': 2,
  // The shards of the index, concurrently; then the entries in one batch.
  'operator.mail-list': 2,
  // The entry, which names the application of the record; the transaction, which returns no item: it is read.
  'operator.mail-redrive': 3,
  'operator.mail-give-up': 3,
  // The shards of the index; then each entry as a redrive of it alone, ten at a time.
  'operator.mail-redrive-all': 4,
  // The limit; the payment; the owner by the reference; subscription, client and invoices; the transaction.
  'payments.create': 5,
  // Nothing has the reference: the payment and its events are written alone.
  'payments.create unapplied': 4,
  // The limit; the payment. One that names a subscription reads it as well.
  'payments.create reported again': 3,
  // The limit, concurrent with the payment.
  'payments.read': 1,
  // The limit; the payment; the owner; subscription, client and invoices; the transaction.
  'payments.apply': 5,
  // The limit; the payment; subscription and client, if it has one; the transaction.
  'payments.return': 4,
  // The limit; the payment; subscription and client; the invoices that it paid; the transaction.
  'payments.reverse': 5,
  // The limit; the payment; the owner and the invoice; the invoice that loses its part; subscription and client, of the check; subscription
  // and client, the invoice, the transaction; subscription and client, the transaction.
  'payments.reallocate': 11,
  // The limit; the key and the latest subscription; subscription and client; the transaction.
  'payments.pay-out': 4,
  // The limit, the key and the owner; the subscription, its client and the invoice; the transaction.
  'subscriptions.credit-invoice': 3,
  // The limit; the lease; the payments and references; the open invoices; the parts; the head; the end of the lease.
  'statements.create': 7,
  // The limit, concurrent with the head; a part with its results.
  'statements.read': 2,
  // The same; then the head.
  'statements.confirm': 3,
  // The head; the part; its payments, eight at once; its results; the head.
  'statements.run-import': 9,
  // The limit; the transaction.
  'webhooks.webhook-create': 2,
  // The limit, concurrent with the query.
  'webhooks.webhook-list': 1,
  // The application that the operator names comes first.
  'webhooks.webhook-list none, by an operator': 2,
  'webhooks.webhook-read': 1,
  // The limit; then, once a minute, the note that operators see.
  'webhooks.webhook-read over the limit': 2,
  // The limit, concurrent with the webhook; the update.
  'webhooks.webhook-update': 2,
  // The limit; the transaction.
  'webhooks.webhook-remove': 2,
  // The limit, concurrent with the webhook; its secrets; the transaction.
  'webhooks.webhook-rotate': 3,
  // The limit, concurrent with the webhook; the transaction.
  'webhooks.webhook-test': 2,
  'plans.create': 1,
  'plans.read': 1,
  'plans.list': 1,
  'plans.list 3 plans, new secret': 2,
  // The write waits for the limit.
  'clients.upsert': 2,
  // The limit, concurrent with client, plan and application; the transaction.
  'subscriptions.create': 2,
  // Between them the existing subscriptions of the client.
  'subscriptions.create offline, superseding': 3,
  'subscriptions.create gateway, superseding': 3,
  'subscriptions.create offline, sent again': 1,
  'subscriptions.current': 1,
  'subscriptions.current one, new secret': 2,
  'subscriptions.list': 1,
  // The reference number has the owner.
  'subscriptions.list by reference': 2,
  // The limit, concurrent with the first entries of each partition of the index; then the records of the page. Where most
  // records have one state, its four partitions have more of the page: each is read on when its first entries are used up.
  'subscriptions.list 50 of all 300': 6,
  'invoices.list': 6,
  // One state, so that the entries of the page are read at once.
  'invoices.list 30 overdue of 600': 2,
  // The limit, concurrent with the index, which has none.
  'invoices.credit-note-list': 1,
  'journal.list': 1,
  // The subscriptions of the client, concurrent with the client, the time zone and the limit; their timelines.
  'journal.account-statement': 2,
  'payments.list': 6,
  'payments.list 30 unapplied of 600': 2,
  // The limit, concurrent with a report that is being prepared; the index.
  'reports.revenue-read': 2,
  // The time zone; then as the revenue report. Rows: the open invoices of the index, and these.
  'reports.receivables-read': 3,
  'reports.receivables-read rows': 3,
  // The time zone; then as the revenue report.
  'reports.tax-read': 3,
  // The owner, concurrent with invoices and timeline; then the subscription.
  'subscriptions.read': 2,
  // The owner; the subscription and its client; the transaction.
  'payments.activate': 3,
  'payments.activate nothing open': 2,
  'subscriptions.cancel': 3,
  'subscriptions.pause': 3,
  'subscriptions.resume': 3,
  'subscriptions.uncancel': 3,
  // The owner, concurrent with the plan; the subscription, its client and its invoices; the transaction.
  'subscriptions.change': 3,
  // The secret of an operator, or of the application, concurrent with the owner; then as for every command.
  'subscriptions.update': 3,
  // The owner; then the invoice, concurrent with its document or its credit notes.
  'invoices.read': 2,
  // The owner; the credit note, concurrent with its document; then the invoice that it corrects.
  'invoices.credit-note-read': 3,
  // The records that the page shows; then the payment, as for the webhook.
  'payments.checkout-submit': 7,
  'payments.checkout-submit cancel': 2,
  // The owner, concurrent with the application; the version of the link.
  'portal.link': 2,
  'portal.link the present one': 1,
  // The owner; subscription and client, concurrent with application and invoices.
  'portal.show': 2,
  // The same without invoices; the write.
  'portal.submit': 3,
  // Subscription and client once more, whose revision the transaction is bound to.
  'portal.submit cancel': 4,
  'portal.submit undo': 4,
  // The owner; the invoice by its id, concurrent with the account; the invoice, concurrent with its document.
  'portal.invoice': 3,
  // The invoice by its id; whether the event was processed before; subscription and client; the transaction.
  'payments.stripe-webhook': 5,
  'payments.stripe-webhook a payment, reported again': 3,
  // Subscription and client, the transaction.
  'subscriptions.run-step': 2,
  // Nothing is due. It starts the wait of the timer that replaced its own.
  'subscriptions.run-step an orphan': 1,
  // Between them the current plan and application.
  'subscriptions.run-step renewal_invoice': 3,
  // Two steps are due at once.
  'subscriptions.run-step term_end and first reminder': 3,
  // The entry; its lease, concurrent with the subscription; the invoice, its document and the link; the count of the mail; the
  // document.
  'notices.deliver': 5,
  // All shards, concurrently; then five for each entry. Entries overlap as far as the rate of mails allows.
  'notices.drain': 1,
  'notices.drain 1,000 wait': 5_001,
  'subscriptions.sweep-timers': 1,
  // A page of 250 from each shard.
  'subscriptions.sweep-timers 1,000 wait': 2,
  // All shards, concurrently. An alert takes two more, one before its mail and one after.
  'devices.send-alerts nothing due': 1,
  'devices.send-alerts': 2,
};

/** The most round trips of a case. */
export const roundTripsOf = (id: string, what: string): number | undefined =>
  roundTrips[`${id} ${what}`] ?? roundTrips[id] ?? (hasRows(id) ? undefined : usualRoundTrips);

const hasRows = (id: string) => Object.keys(roundTrips).some((name) => name.startsWith(`${id} `));

/** Round trips after the first mail, when the outcome is decided. */
export const afterMail: Record<string, number> = {
  // Removes the alert that was sent.
  'devices.trust right': 1,
  // Marks the outbox entry as done.
  'notices.deliver 1 mail': 1,
  // Ten alerts on four shards are up to three in sequence: each is removed before the next is claimed.
  'devices.send-alerts 10 alerts': 5,
};

/** A revenue report of a large seller: its longest request, of the 29 seconds of the gateway; memory, of 1,024 MB; reads. */
export const largeReport = { requestMs: 12_000, heapMb: 512, readUnitsPerThousand: 120 };

/** Read units of a page of 50 of 100,000 records: the newest, and those that a filter finds among 5,000 entries, of which each shard reads ahead. */
export const largeLists = { newest: 60, filtered: 450 };

/** Reading the worst bank statement that a request can contain: half of the memory of a function, and far below its time. */
export const hostileFile = { ms: 5_000, mb: 512 };

/** The compressed size of a page of the console with as many records as it shows. */
export const consolePageKb = 30;

const consolePage = { requests: 1, kb: consolePageKb, interactiveMs: 1_000 };

/**
 * The compressed size of the first visit of a page, and the time until a person can use it: with the processor slowed down four times,
 * on a connection that takes no time, from functions that are warm: the weight is measured first. Half a second is usual on a
 * machine that does nothing else; the budgets leave room for one that does. Tests hold the requests and the bytes; `npm run bench -- pages` measures the times too.
 */
export const pages = {
  '/': { requests: 1, kb: 4, interactiveMs: 1_000 },
  'an unknown path': { requests: 1, kb: 2, interactiveMs: 1_000 },
  // The page and its script.
  '/s, to create': { requests: 2, kb: 40, interactiveMs: 1_500 },
  '/s/{shareId}, to open': { requests: 2, kb: 40, interactiveMs: 1_500 },
  '/account': { requests: 1, kb: 4, interactiveMs: 1_000 },
  '/console/sign-in': { requests: 1, kb: 4, interactiveMs: 1_000 },
  // Of a person who is signed in, with as many records as each page shows.
  '/console': consolePage,
  '/console/reviews': consolePage,
  '/console/reviews/{linkId}': consolePage,
  '/console/customers': consolePage,
  '/console/customers?application={applicationId}': consolePage,
  '/console/customers/{applicationId}/{subscriptionId}': consolePage,
  '/console/money/{applicationId}': consolePage,
  '/console/money/{applicationId}/statements': consolePage,
  '/console/money/{applicationId}/statements/{statementId}': consolePage,
  '/console/developers': consolePage,
  '/console/developers/{applicationId}': consolePage,
  '/console/developers/{applicationId}/webhooks/{webhookId}': consolePage,
  '/console/audit': consolePage,
  '/billing/{token}': { requests: 1, kb: 5, interactiveMs: 1_000 },
  '/checkout/{token}': { requests: 1, kb: 4, interactiveMs: 1_000 },
  '/oauth/authorize/consent': { requests: 1, kb: 4, interactiveMs: 1_000 },
  // With the index of the search; on a local stack, with the values of its examples.
  '/docs': { requests: 2, kb: 60, interactiveMs: 1_000 },
  '/docs/{group}': { requests: 2, kb: 60, interactiveMs: 1_000 },
};

/** What the figures are held against; a budget is a promise of the design, not a measurement. */
export const bundleKb = 400;

/** Init and first call, as a multiple of a bare SDK handler measured in the same run. */
export const coldRatio = 1.1;

/** Bundles that may be larger, and why. */
export const bundleExceptions: Record<string, string> = {};

/**
 * Sequential round trips to the table per request, once warm and until the outcome holds, for what fits one item;
 * by route or timer, or by case where one of them differs.
 */
export const roundTrips: Record<string, number> = {
  'shares.create': 2,
  'shares.open': 1,
  // The limit beside the refresh of a trusted device.
  'devices.check trusted': 1,
  // Without an id of the client's, the limit comes first: the look-up that names the device costs money.
  'devices.check trusted, by signals': 2,
  // The limit beside the refresh that is refused, then the quarantine.
  'devices.check': 2,
  // What a new device adds to the user's list is looked at after it is there.
  'devices.check unknown': 3,
  // And whom it crowds out is removed.
  'devices.check unknown, 100 others': 4,
  'devices.code-send': 2,
  // The limit, the try beside the device and those it joins, the transaction.
  'devices.trust': 3,
  // Nothing follows a wrong code.
  'devices.trust wrong': 2,
  'devices.list': 1,
  'devices.revoke': 1,
  // The limit beside device, proof and locks, then the vault.
  'vault.read': 2,
  // The proof beside all that, then its address's count of wrong ones, then everybody's.
  'vault.read small, wrong proof': 3,
  // The same, then the head that says which version is there, then the transaction.
  'vault.write': 3,
  // Count, user and key side by side, then the links in one transaction, however many.
  'links.submit': 2,
  // The answer is kept under the key.
  'links.submit 1 link, sent again': 1,
  // The count beside the links, the secret known.
  'links.list': 1,
  'links.read': 1,
  // The secret says whom to count.
  'links.read one, new secret': 2,
  'links.status': 1,
  'links.social-account-status': 1,
  // The link, user and count, then the link with its history.
  'links.update': 2,
  'links.update nothing': 1,
  'links.remove': 2,
  // All parts of the queue side by side.
  'links.review-list': 1,
  // The index says whose the link is; then the link; then history, user and accounts.
  'links.review-read': 3,
  // The same, then the link with its history.
  'links.review-decide': 3,
  'oauth.consent-show': 1,
  // The session says who the user is.
  'oauth.consent-show signed in': 2,
  // The application says whether the request is good; then the limits of address and mailbox, each of which may refuse.
  'oauth.consent-submit send': 3,
  // The same with the try, then whose address it is, the user, and the session; rare and in front of a person.
  'oauth.consent-submit sign in': 6,
  // Application, session, user, code: nothing is looked up for a request that is not good.
  'oauth.consent-submit allow': 4,
  'oauth.consent-submit deny': 1,
  'oauth.consent-submit switch': 2,
  // The application beside the limit, the code, the user, the transaction.
  'oauth.token': 4,
  // The same: application, token, then family beside user, the transaction.
  'oauth.token a refresh': 4,
  // The application beside the limit, both kinds of token, the removal.
  'oauth.revoke': 3,
  // Its family is read before the transaction that ends it.
  'oauth.revoke refresh token': 4,
  'oauth.revoke unknown token': 1,
  // Operators are few: what is bound to what was read takes a read and a write.
  'operator.application-create': 1,
  'operator.application-read': 1,
  'operator.application-update': 1,
  'operator.key-create': 2,
  'operator.key-revoke': 2,
  // The address that is given up is read as well.
  'operator.user-upsert': 3,
  'operator.user-read': 1,
  'operator.social-account-upsert': 2,
  'subscriptions.plan-create': 1,
  'subscriptions.plan-update': 2,
  'subscriptions.plan-list': 1,
  'subscriptions.plan-list 3 plans, new secret': 2,
  // The count admits the write.
  'subscriptions.client-upsert': 2,
  // The count beside client, plan and application; the transaction.
  'subscriptions.create': 2,
  // And between them what the client has already.
  'subscriptions.create offline, superseding': 3,
  'subscriptions.create gateway, superseding': 3,
  'subscriptions.create offline, sent again': 1,
  'subscriptions.current': 1,
  'subscriptions.current one, new secret': 2,
  'subscriptions.list': 1,
  // The reference says whose it is.
  'subscriptions.list by reference': 2,
  // Whose it is, beside what lies with it; then the subscription.
  'subscriptions.read': 2,
  // Whose it is, then the subscription and its client, the transaction.
  'subscriptions.activate': 3,
  'subscriptions.activate nothing open': 2,
  'subscriptions.cancel': 3,
  'subscriptions.pause': 3,
  'subscriptions.resume': 3,
  'subscriptions.uncancel': 3,
  // Whose it is, then the invoice.
  'subscriptions.invoice-read': 2,
  'subscriptions.checkout-show': 2,
  // What the page shows, then the payment as the webhook has it.
  'subscriptions.checkout-submit': 7,
  'subscriptions.checkout-submit cancel': 2,
  // The invoice by its id, whether it was reported before, subscription and client, the transaction.
  'subscriptions.stripe-webhook': 5,
  'subscriptions.stripe-webhook a payment, reported again': 3,
  // Subscription and client, the transaction.
  'subscriptions.run-step': 2,
  'subscriptions.run-step too early': 1,
  'subscriptions.run-step an orphan': 1,
  // Between them plan and application as they are now.
  'subscriptions.run-step renewal_invoice': 3,
  // Two steps are due at once.
  'subscriptions.run-step term_end and first reminder': 3,
  // The subscription beside its outbox, the lease of the entry, and the invoice.
  'subscriptions.deliver-outbox': 3,
  // All shards side by side; then four for an entry, one after the other: up to 200 a run.
  'subscriptions.drain-outbox': 1,
  'subscriptions.drain-outbox 1,000 wait': 801,
  'subscriptions.sweep-timers': 1,
  // Of each shard a page of 250.
  'subscriptions.sweep-timers 1,000 wait': 2,
  // All shards side by side; an alert takes two more, one before its mail and one after.
  'devices.send-alerts nothing due': 1,
  'devices.send-alerts': 2,
};

/** Round trips after the (first) mail, when what the caller asked for is done. */
export const afterMail: Record<string, number> = {
  // Forgets the alert that was sent.
  'devices.trust right': 1,
  // The entry of the outbox is done.
  'subscriptions.deliver-outbox': 1,
  // Ten alerts on four shards are three one after the other: each removed, and the next claimed.
  'devices.send-alerts 10 alerts': 5,
};

/** Warm handler time without table, mail and secret, in milliseconds; for requests that fit one item. */
export const warmMs = 1;

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
  'shares.read': 1,
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
  'devices.send': 2,
  // The limit, the try beside the device and those it joins, the transaction.
  'devices.verify': 3,
  // Nothing follows a wrong code.
  'devices.verify wrong': 2,
  'devices.list': 1,
  'devices.revoke': 1,
  // The limit beside device, proof and locks, then the vault.
  'vault.read': 2,
  // The proof beside all that, then its address's count of wrong ones, then everybody's.
  'vault.read small, wrong proof': 3,
  // The same, then the head that says which version is there, then the transaction.
  'vault.write': 3,
  // All shards side by side; an alert takes two more, one before its mail and one after.
  'devices.alerts nothing due': 1,
  'devices.alerts': 2,
};

/** Round trips after the (first) mail, when what the caller asked for is done. */
export const afterMail: Record<string, number> = {
  // Forgets the alert that was sent.
  'devices.verify right': 1,
  // Ten alerts on four shards are three one after the other: each removed, and the next claimed.
  'devices.alerts 10 alerts': 5,
};

/** Warm handler time without table, mail and secret, in milliseconds; for requests that fit one item. */
export const warmMs = 1;

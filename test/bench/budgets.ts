/** What the figures are held against; a budget is a promise of the design, not a measurement. */
export const bundleKb = 400;

/** Init and first call, as a multiple of a bare SDK handler measured in the same run. */
export const coldRatio = 1.1;

/** Bundles that may be larger, and why. */
export const bundleExceptions: Record<string, string> = {};

/** Sequential round trips to the table per request, once warm. */
export const roundTrips: Record<string, number> = {
  'shares.create': 2,
  'shares.read': 1,
  'reference.document': 0,
  'reference.page': 0,
};

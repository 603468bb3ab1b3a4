/**
 * Replaces packages in the bundles that another package imports and no function uses. `decode` is the only export of
 * theirs that is imported by name, from `fast-png`.
 */
export function decode(): never {
  throw new Error('This package is left out of the bundles');
}

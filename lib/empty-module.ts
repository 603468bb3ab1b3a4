/**
 * Stands in the bundles for packages that another one loads only for what no function does. It is the decoder of
 * `fast-png` too, the one thing of them that is named.
 */
export function decode(): never {
  throw new Error('This package is left out of the bundles');
}

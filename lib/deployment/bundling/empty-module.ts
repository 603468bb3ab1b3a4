/**
 * Replaces packages in the bundles that another package imports and no function uses. The exports are those that are
 * imported by name: `decode` of `fast-png`, the others of the SDK.
 */
export function decode(): never {
  throw new Error('This package is left out of the bundles');
}

export const Sha256Js = decode;
export const AdaptiveRetryStrategy = decode;

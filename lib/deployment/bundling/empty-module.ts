/**
 * Replaces packages and modules in the bundles that another package imports and no function uses. The exports are those
 * that are imported by name: `decode` of `fast-png`, and the others of the SDK.
 */
export const decode = leftOut;

export class Sha256Js {
  constructor() {
    leftOut();
  }
}

export class AdaptiveRetryStrategy {
  constructor() {
    leftOut();
  }
}

export class HeaderFormatter {
  format = leftOut;
}

function leftOut(): never {
  throw new Error('This package is left out of the bundles');
}

export const getInstanceMetadataRegion = leftOut;

/** A home directory without `~/.aws`. */
export const CONFIG_PREFIX_SEPARATOR = '.';
export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });

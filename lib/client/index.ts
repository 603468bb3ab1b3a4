/** The public API, types included. build.ts makes the declarations of the package from it. */
export * from './auth-hash.ts';
export * from './device-signals.ts';
export * from './device-storage.ts';
export * from './share/share-encryption.ts';
export * from './share/share-error.ts';
export * from './share/share-link.ts';
export * from './share/share-payload.ts';

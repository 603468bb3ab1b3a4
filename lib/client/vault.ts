/** The public API of `vouchsafe-client/vault`, types included. build.ts makes the declarations from it. */
export * from './device-storage.ts';
export * from './fetch.ts';
export * from './vault/device-store.ts';
export * from './vault/indexed-db-store.ts';
export * from './vault/vault-client.ts';
export * from './vault/vault-encryption.ts';
export * from './vault/vault-error.ts';
export * from './vault/vault-records.ts';

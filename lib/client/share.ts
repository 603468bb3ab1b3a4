/** The public API of `vouchsafe-client/share`, types included. build.ts makes the declarations from it. */
export * from './fetch.ts';
export * from './share/receipt-link.ts';
export * from './share/share-client.ts';
export * from './share/share-content.ts';
export * from './share/share-error.ts';
export * from './share/share-link.ts';
export * from './share/signal.ts';

/** The public API of `vouchsafe-client/api`, types included. build.ts makes the declarations from it. */
export * from './api/client.ts';
export * from './api/error.ts';
export * from './api/operation-row.ts';
export * from './api/requester.ts';
export * from './api/types.ts';
export * from './share/signal.ts';

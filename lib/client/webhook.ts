/** The public API of `vouchsafe-client/webhook`, types included. build.ts makes the declarations from it. */
export * from './webhook/verify-webhook.ts';

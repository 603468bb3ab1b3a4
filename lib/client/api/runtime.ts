import type { Signal } from '../share/signal.ts';

/** Time and chance, which tests replace. */
export interface Runtime {
  /** Milliseconds since 1970. */
  now(): number;
  /** From 0 to less than 1. */
  random(): number;
  /** Resolves after milliseconds, or as soon as the signal is aborted. */
  sleep(ms: number, signal?: Signal): Promise<void>;
}

import type { Call } from './call.ts';

export const linkSamples: Record<string, () => Call | Promise<Call>> = {};

import type { Call } from './call.ts';

export const operatorSamples: Record<string, () => Call | Promise<Call>> = {};

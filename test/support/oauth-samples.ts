import type { Call } from './call.ts';

export const oauthSamples: Record<string, () => Call | Promise<Call>> = {};

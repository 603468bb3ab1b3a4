import type { components } from '../api/schema.ts';

/**
 * An event: `type` says what `data` is. A newer service may send a type that is not listed, so a `switch` needs a `default` that
 * ignores it.
 */
export type VouchsafeEvent = components['schemas']['WebhookEvent'];

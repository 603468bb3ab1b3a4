import type { core } from 'zod/mini';

/** The schema of what a JSON Merge Patch changes, by the schema of the patch. */
export const patched = new WeakMap<core.$ZodType, core.$ZodType>();

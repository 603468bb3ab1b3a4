import type { core } from 'zod/mini';

/** The schema of what a patch changes, by the schema of the patch. */
export const patched = new WeakMap<core.$ZodType, core.$ZodType>();

export function patchOf<S extends core.$ZodType>(whole: core.$ZodType, patch: S): S {
  patched.set(patch, whole);
  return patch;
}

/**
 * The result of a JSON Merge Patch: RFC 7396. A member that is null is removed, an object is merged, and any other value, such
 * as an array, replaces the former one.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch;
  const former = isObject(target) ? target : {};
  const changed = Object.entries(patch).filter(([, value]) => value !== null);
  const kept = Object.entries(former).filter(([name]) => !Object.hasOwn(patch, name));
  const merged = changed.map(([name, value]) => [
    name,
    mergePatch(Object.hasOwn(former, name) ? former[name] : undefined, value),
  ]);
  return Object.fromEntries([...kept, ...merged]);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

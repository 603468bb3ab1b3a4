import type { Route } from '../../functions/shared/contract/route.ts';

/** Every path of a route, its own first. */
export function pathsOf({ path, alsoAt }: Pick<Route, 'path' | 'alsoAt'>): string[] {
  return alsoAt === undefined ? [path] : [path, alsoAt];
}

/** The names in a path: `id` of `/api/thing/{id}`, `proxy` of `/{proxy+}`. */
export function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name = '']) => name);
}

import type { Route } from '../../functions/shared/contract/route.ts';

/** Every path of a route, its own first. */
export function pathsOf({ path, alsoAt }: Pick<Route, 'path' | 'alsoAt'>): string[] {
  return alsoAt === undefined ? [path] : [path, alsoAt];
}

/** The names in a path: `id` of `/api/thing/{id}`, `proxy` of `/{proxy+}`. */
export function parameterNames(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name = '']) => name);
}

/** The tag of the operations of the contract: see docs/contract.md. */
export const contractTag = {
  name: 'contract',
  description:
    'The operations of the three API documents that Vouchsafe implements: links, subscriptions and the vault. All other operations are additions.',
} as const;

/** The path at which the document has a route: that of the contract if the contract has it, else its own. */
export const documentedPath = ({
  path,
  alsoAt = path,
  ofContract,
}: Pick<Route, 'path' | 'alsoAt' | 'ofContract'>): string => (ofContract === 'alsoAt' ? alsoAt : path);

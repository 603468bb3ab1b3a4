/** The scopes that a user can grant an application, and how the consent page describes them. */
import { keysOf } from '../../contract/defined.ts';

export interface ScopeDescription {
  title: string;
  /** The abilities of the application, for a reader who does not know the API. */
  meaning: string;
  /** Set where the grant puts data at risk. */
  warning?: string;
}

const descriptions = {
  profile: {
    title: 'See your links and accounts',
    meaning:
      'Read the links it has submitted for you, how their review went, and whether your social accounts are verified.',
  },
  'trust_links:write': {
    title: 'Manage links in your name',
    meaning:
      'Submit links for review as yours, change and remove those it has submitted, and read what became of them.',
  },
  vault: {
    title: 'Open your encrypted vault',
    meaning:
      'Fetch and replace your vault from a device that you trust. It stays encrypted: only your master password opens it.',
    warning:
      'It can overwrite what is in the vault. Allow this only to an application that keeps your vault.',
  },
} as const satisfies Record<string, ScopeDescription>;

export type Scope = keyof typeof descriptions;

export const scopes: readonly Scope[] = keysOf(descriptions);

export const scopeDescriptions: Readonly<Record<Scope, ScopeDescription>> = descriptions;

/** Granted when a request names no scope: the least privilege. RFC 6749 section 3.3 leaves the default to the server. */
const defaultScopes: readonly Scope[] = ['profile'];

/**
 * The scopes that a `scope` parameter names, without duplicates, in the order of this file.
 *
 * @returns undefined when one of them is unknown.
 */
export function parseScope(text: string | undefined): readonly Scope[] | undefined {
  const names = new Set((text ?? '').split(' ').filter((name) => name !== ''));
  if (names.size === 0) return defaultScopes;
  const requested = scopes.filter((scope) => names.has(scope));
  return requested.length === names.size ? requested : undefined;
}

/** The scopes of a refresh request. Undefined when they exceed the granted ones: RFC 6749 section 6. */
export function narrowScopes(
  scope: string | undefined,
  granted: readonly Scope[],
): readonly Scope[] | undefined {
  if (scope === undefined) return granted;
  const requested = parseScope(scope);
  return requested?.every((one) => granted.includes(one)) ? requested : undefined;
}

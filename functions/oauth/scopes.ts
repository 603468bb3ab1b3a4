/** What a user can allow an application, and how the consent page says it. */

export interface ScopeWords {
  title: string;
  /** What the application will be able to do, to somebody who has never read this API. */
  meaning: string;
  /** Set where there is something to lose. */
  warning?: string;
}

const words = {
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
} as const satisfies Record<string, ScopeWords>;

export type Scope = keyof typeof words;

export const scopes = Object.keys(words) as readonly Scope[];

export const scopeWords: Readonly<Record<Scope, ScopeWords>> = words;

/** What an application gets that asks for nothing: the least there is. RFC 6749 section 3.3 leaves it to the server. */
const defaultScopes: readonly Scope[] = ['profile'];

/**
 * The scopes that a `scope` parameter names, each once, in the order of this file.
 *
 * @returns undefined when one of them is unknown.
 */
export function parseScope(text: string | undefined): readonly Scope[] | undefined {
  const named = new Set((text ?? '').split(' ').filter((name) => name !== ''));
  if (named.size === 0) return defaultScopes;
  const known = scopes.filter((scope) => named.has(scope));
  return known.length === named.size ? known : undefined;
}

import type { ApplicationCaller } from '../../shared/contract/callers.ts';
import { ApiError } from '../../shared/contract/errors.ts';
import { eventOwners } from '../../shared/contract/event-types.ts';
import type { Audience } from '../../shared/contract/events.ts';
import type { ApplicationKeyKind } from '../../shared/contract/secret.ts';

/** The owner of each type, of each family such as `subscription.*`, and of `*`, which includes types of both kinds of keys. */
const families = [...eventOwners].map(
  ([type, owner]) => [`${type.slice(0, type.indexOf('.'))}.*`, owner] as const,
);
const patterns = new Map([...eventOwners, ...families, ['*', 'of_webhook'] as const]);

/** Whether a text is a registered type, the pattern of a family such as `subscription.*`, or `*`. */
export const isEventPattern = (text: string): boolean => patterns.has(text);

export function takesType(taken: readonly string[], type: string): boolean {
  return taken.some(
    (pattern) =>
      pattern === '*' ||
      pattern === type ||
      (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1))),
  );
}

/** Whether an event is for a kind of key. An operator sees all of them. */
export function isFor(
  by: ApplicationCaller['by'],
  type: string,
  { audience }: { readonly audience?: Audience },
): boolean {
  return by === 'operator' || by === (audience?.keyKind ?? eventOwners.get(type));
}

/** The kind of key that a pattern names events of; undefined for `*` and events about webhooks, which both kinds have. */
function keyKindOf(pattern: string): ApplicationKeyKind | undefined {
  const owner = patterns.get(pattern);
  return owner === 'of_webhook' ? undefined : owner;
}

const names = { api_key: 'API key', client_secret: 'client secret' } as const;

/** @throws ApiError `invalid_request` when a pattern names events that are for the other kind of key. */
export function requireOwnTypes(keyKind: ApplicationKeyKind, field: string, named: readonly string[]): void {
  const other = named.find((pattern) => (keyKindOf(pattern) ?? keyKind) !== keyKind);
  if (other === undefined) return;
  const owner = keyKindOf(other) ?? keyKind;
  throw new ApiError('invalid_request', {
    details: { [field]: `must be for the ${names[keyKind]}; ${other} is for the ${names[owner]}` },
  });
}

/**
 * The kind of key that a new webhook is for: that of the caller, and for an operator the one that its types name.
 * @throws ApiError `invalid_request` when the types name events of the other kind, or when those of an operator name none.
 */
export function keyKindOfNew({ by }: ApplicationCaller, named: readonly string[]): ApplicationKeyKind {
  const keyKind = by === 'operator' ? named.map(keyKindOf).find((kind) => kind !== undefined) : by;
  if (keyKind === undefined) {
    throw new ApiError('invalid_request', {
      details: { types: 'must name events of one kind of key, such as subscription.* or link.*' },
    });
  }
  requireOwnTypes(keyKind, 'types', named);
  return keyKind;
}

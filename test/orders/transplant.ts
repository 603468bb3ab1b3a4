/** A request that was made for one world, on the records of another. */
import type { Item } from '../../functions/shared/table/table.ts';
import type { Call } from '../support/call.ts';

/** A request and the items that were written for it. */
export interface Prepared {
  readonly request: Call;
  readonly items: readonly Item[];
}

const leastLength = 6;
const kindOf = ({ pk, sk }: Item) => `${pk.split('#', 1)[0]}/${/^[A-Z_]+/.exec(sk)?.[0] ?? ''}`;

/** The texts of items, by the kind of the item and the name of the attribute: those of the first item of a kind. */
function texts(items: readonly Item[]): [place: string, text: string][] {
  return items.flatMap((item) =>
    Object.entries(item).flatMap(([name, value]): [string, string][] => {
      if (typeof value !== 'string') return [];
      const parts =
        name === 'pk' || name === 'sk' ? value.split('#').slice(1).map(decodeURIComponent) : [value];
      return parts
        .filter(({ length }) => length >= leastLength)
        .map((part, i) => [`${kindOf(item)}.${name}.${i}`, part]);
    }),
  );
}

/**
 * The request with the ids, addresses and parameters of another world in place of its own. `withHeaders`: it has the credentials
 * of the other request too, where both name the same header.
 */
export function transplanted(from: Prepared, to: Prepared, withHeaders: boolean): Call {
  const there = new Map(texts(to.items).reverse());
  const replaced = new Map<string, string>();
  const replace = (text: string, other: string | undefined) => {
    if (other !== undefined && other !== text && !replaced.has(text)) replaced.set(text, other);
  };
  for (const [place, text] of texts(from.items)) replace(text, there.get(place));
  // The table keeps some ids as a hash alone. They are told by the names of parameters.
  for (const part of ['params', 'query'] as const)
    for (const [name, text] of Object.entries(from.request[part] ?? {}))
      replace(text, to.request[part]?.[name]);
  const { headers = {}, ...rest } = from.request;
  const own = replacedIn(headers, replaced);
  const shared = Object.entries(to.request.headers ?? {}).filter(([name]) => name in own);
  return {
    ...replacedIn(rest, replaced),
    headers: withHeaders ? Object.assign({}, own, Object.fromEntries(shared)) : own,
  };
}

/** A value with each text that is one of the replaced ones, or contains it in a form, replaced. */
function replacedIn<T>(value: T, replaced: ReadonlyMap<string, string>): T;
function replacedIn(value: unknown, replaced: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    const whole = replaced.get(value);
    if (whole !== undefined) return whole;
    return [...replaced].reduce(
      (text, [from, to]) =>
        text.replaceAll(from, to).replaceAll(encodeURIComponent(from), encodeURIComponent(to)),
      value,
    );
  }
  if (Array.isArray(value)) return value.map((one) => replacedIn(one, replaced));
  if (value === null || typeof value !== 'object' || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replacedIn(one, replaced)]));
}

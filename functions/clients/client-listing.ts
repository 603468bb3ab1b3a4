import type { IndexedList } from '../shared/lists/indexed-list.ts';
import { ofApplication } from '../shared/lists/partitions.ts';
import { type Listing, listingAt } from '../shared/table/listing.ts';
import type { Client } from './client.ts';

/** The status of a client in the index `listed`: clients have only one. */
const clientListStatus = 'client';

/** The fact of a client in the index `listed`. Clients that a former release wrote last have none. */
interface ClientFacts {
  /** The words of the name, as {@link folded}; empty without a name. */
  readonly name?: string;
}

/** As much of a name as the index has, so that an entry stays within a write unit. */
const longestName = 100;

/** Letters that have no accent to take away. */
const likeOthers: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ς: 'σ',
};

/** Letters of either case, with and without accents, become the same: `Anna Müller-Groß` is `anna muller gross`. */
export const folded = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}'’]/gu, '')
    .replaceAll(/[ßøłđæœıς]/g, (letter) => likeOthers[letter] ?? letter)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The facts of a client by their name. */
export const factsOfName = (name = ''): ClientFacts => ({ name: folded(name).slice(0, longestName) });

/** The place of a client in the index `listed`: by creation. It never changes. */
export function clientListing({
  applicationId,
  externalId: id,
  createdAtMs: atMs,
  name,
}: Pick<Client, 'applicationId' | 'externalId' | 'createdAtMs' | 'name'>): Listing {
  const list = { applicationId, kind: 'client', status: clientListStatus } as const;
  return listingAt(list, { id, atMs }, { ...factsOfName(name) });
}

/** Whether each word of a text begins a word of a name. Both are folded. */
function isNamed(name: string, text: string): boolean {
  const words = name.split(' ');
  return text.split(' ').every((begin) => words.some((word) => word.startsWith(begin)));
}

/**
 * The clients of an application as a list, newest first. The index has their names: no other client is read.
 *
 * @param filter.name the first letters of words of the name. Undefined for all.
 */
export function clientsOf<R>(
  seller: Parameters<typeof ofApplication>[0],
  filter: { name?: string | undefined },
  { read, toResponse }: Pick<IndexedList<Client, R>, 'read' | 'toResponse'>,
): IndexedList<Client, R> {
  const text = filter.name === undefined ? undefined : folded(filter.name);
  // A text without a letter, such as a wildcard, is no name.
  const isWanted = (name: string) => text === undefined || (text !== '' && isNamed(name, text));
  return {
    source: ofApplication(seller, 'client', [clientListStatus]),
    filters: text === undefined ? [] : [text],
    passes: ({ name }) => typeof name !== 'string' || isWanted(name),
    belongs: ({ name = '' }) => isWanted(folded(name)),
    read,
    toResponse,
  };
}

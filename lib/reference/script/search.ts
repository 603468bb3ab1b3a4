import MiniSearch from 'minisearch';

/** An entry of the search: the title, the link from the address of the API, the kind or the path, and what else it is found by. */
export type SearchEntry = readonly [
  title: string,
  link: string,
  kind: string,
  fields: string,
  words: string,
  errors: string,
];

/** Words, and the parts of names in camel case or with underscores. */
function termsOf(text: string): string[] {
  const words = text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== '');
  return words.flatMap((word) => {
    const parts = word.split(/_|(?<=[a-z])(?=[A-Z])/);
    return parts.length > 1 ? [word, ...parts] : [word];
  });
}

/** Finds entries by titles first, then by paths, fields, errors and summaries; a word may be incomplete or misspelt. */
export function searchOf(entries: readonly SearchEntry[]): (text: string) => SearchEntry[] {
  const names = ['title', 'link', 'kind', 'fields', 'words', 'errors'];
  const search = new MiniSearch<SearchEntry & { id?: number }>({
    fields: ['title', 'kind', 'fields', 'words', 'errors'],
    idField: 'link',
    extractField: (entry, name) => entry[names.indexOf(name)],
    tokenize: termsOf,
    searchOptions: {
      boost: { title: 10, words: 5, kind: 3 },
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
      tokenize: (text) => text.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== ''),
    },
  });
  search.addAll(entries);
  const byLink = new Map(entries.map((entry) => [entry[1], entry]));
  return (text) => {
    const all = search.search(text);
    // No entry has every word of a question: those with any of them follow it best.
    const found = all.length > 0 ? all : search.search(text, { combineWith: 'OR' });
    return found.flatMap(({ id }) => {
      const entry = byLink.get(String(id));
      return entry === undefined ? [] : [entry];
    });
  };
}

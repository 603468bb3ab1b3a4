/** An entry of the search: the title, the link from the address of the API, the kind or the path, and what else it is found by. */
export type SearchEntry = readonly [
  title: string,
  link: string,
  kind: string,
  fields: string,
  words: string,
  errors: string,
];

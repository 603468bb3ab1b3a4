/** The addresses of the pages. Links are relative: a deployment can be below a stage. */

/** A page: the first one, which is at `/docs`, or one below it. */
export interface Place {
  /** The last segment of the path; undefined for the first page. */
  readonly name: string | undefined;
}

/** From a page to the address of the API, with a slash at the end. */
export const rootFrom = ({ name }: Place): string => (name === undefined ? './' : '../');

/** From a page to another one: `undefined` is the first. */
export function linkFrom(from: Place, to: string | undefined, id?: string): string {
  const fragment = id === undefined ? '' : `#${id}`;
  if (to === from.name) return fragment === '' ? '#content' : fragment;
  const path = to === undefined ? 'docs' : `docs/${to}`;
  return `${rootFrom(from)}${path}${fragment}`;
}

/** Where pages are served from. Those of a local stack are filled with its demo data, and send their examples to it. */
export type Origin = 'deployed' | 'local';

/** The script of the pages of an origin. */
export interface PageScript {
  readonly origin: Origin;
  readonly text: string;
}

/** The pages that a page is within, as its path shows. */
import { html, type Markup, raw } from '../../shared/html/markup.ts';
import { type ConsolePath, filled, pageNamed, withQuery } from './path.ts';
import { sections } from './sections.ts';
import type { Crumbs, Visit } from './visit.ts';

/** Pages within which others are, below their sections. Without a name they have the id of their application. */
const within: readonly (readonly [path: ConsolePath, name?: string])[] = [
  ['/console/customers/{applicationId}'],
  ['/console/developers/{applicationId}'],
  ['/console/money/{applicationId}'],
  ['/console/money/{applicationId}/statements', 'Bank statements'],
];

/** @param crumbs names of pages, which a page knows. Others than those of the path follow them. */
export function breadcrumb({ path: own, query, href }: Visit, title: string, crumbs: Crumbs = {}): Markup {
  if (own === '/console') return raw('');
  // The list of the customers of an application is a filter of the section.
  const { application = '' } = query;
  const path =
    own === '/console/customers' && application !== ''
      ? `${own}/${encodeURIComponent(application.toWellFormed())}`
      : own;
  const [, , , applicationId = ''] = path.split('/').map(decodeURIComponent);
  const places = [
    ['/console', 'Console'] as const,
    ...sections.map((section) => [section.path, section.title] as const),
    ...within.map(([pattern, name = applicationId]) => [filled(pattern, { applicationId }), name] as const),
  ].filter(([place]) => path.startsWith(`${place}/`));
  const names = new Map(places.map(([place, name]) => [pageOf(place), name]));
  for (const [place, name] of Object.entries(crumbs)) names.set(pageNamed(place), name);
  const links = [...names].map(
    ([place, name]) => html`<li><a href="${href(place)}" dir="auto">${name}</a></li>`,
  );
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol>${links}<li><span aria-current="page" dir="auto">${title}</span></li></ol></nav>
`;
}

/** The page at a place. */
function pageOf(place: ConsolePath): ConsolePath {
  const [, application] = /^\/console\/customers\/([^/]+)$/.exec(place) ?? [];
  return application === undefined
    ? place
    : withQuery('/console/customers', { application: decodeURIComponent(application) });
}

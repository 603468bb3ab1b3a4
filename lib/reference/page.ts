import { type Guide, guidesName, guideTitle } from './guides.ts';
import { escaped, list } from './markup.ts';
import { linkFrom, type Place, rootFrom } from './site.ts';
import { styles } from './styles.ts';
import { type Group, titleOf } from './titles.ts';

/** The parts that all pages share. */
export interface Frame {
  readonly name: string;
  readonly groups: readonly Group[];
  readonly guides: readonly Guide[];
  /** The entries of the search, as JSON. */
  readonly index: string;
  readonly script: string;
}

/**
 * A whole page.
 *
 * @param title of the page within the reference; empty for the first one.
 */
export function frame(
  { name, groups, guides, index, script }: Frame,
  place: Place,
  title: string,
  content: string,
): string {
  const links = navigation(groups, guides, place);
  return `<!doctype html>
<html lang="en" data-root="${rootFrom(place)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escaped(title === '' ? `${name} API reference` : `${title} – ${name}`)}</title>
<style>${styles}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="bar">
<a class="brand" href="${linkFrom(place, undefined)}"><span class="mark" aria-hidden="true">V</span>${escaped(name)}<span class="of"> API</span></a>
<button type="button" id="find" hidden>Search <kbd>/</kbd></button>
<details class="menu"><summary>Menu</summary><nav aria-label="Menu">${links}</nav></details>
</header>
<div class="columns">
<nav class="side" aria-label="Pages">${links}</nav>
<main id="content" tabindex="-1">
${content}
</main>
</div>
<dialog id="finder" aria-label="Search the reference">
<label for="search">Search titles, paths, fields and errors</label>
<div class="row"><input id="search" type="search" maxlength="100" autocomplete="off" spellcheck="false"><button type="button" id="close">Close</button></div>
<p id="status" role="status"></p>
<ul id="results"></ul>
</dialog>
<script type="application/json" id="index">${index}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** The pages, and below the present one its operations, or the guides. */
function navigation(groups: readonly Group[], guides: readonly Guide[], place: Place): string {
  const entry = (name: string | undefined, title: string, below = '') => {
    const current = name === place.name ? ' aria-current="page"' : '';
    return `<a href="${linkFrom(place, name)}"${current}>${escaped(title)}</a>${name === place.name ? below : ''}`;
  };
  const sections = [
    ['groups', 'Groups'],
    ['examples', 'Examples'],
    ['authentication', 'Authentication'],
    ['conventions', 'Conventions'],
    ['contract', 'The contract'],
  ].map(([id, title]) => `<a href="#${id}">${title}</a>`);
  const otherGuides = guides
    .filter(({ name }) => name !== guidesName)
    .map((guide) => entry(guide.name, guideTitle(guide)));
  return list([
    entry(undefined, 'Start', list(sections)),
    entry(guidesName, 'Guides') + (guides.some(({ name }) => name === place.name) ? list(otherGuides) : ''),
    ...groups.map(({ name, title, operations }) => {
      const below = operations.map(
        ({ operation: { operationId } }) =>
          `<a href="#${escaped(operationId)}">${escaped(titleOf(operationId))}</a>`,
      );
      return entry(name, title, list(below));
    }),
    entry('events', 'Events'),
    entry('errors', 'Errors'),
  ]);
}

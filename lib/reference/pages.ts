import { createHash } from 'node:crypto';
import { withInlineObjects } from '../openapi/components.ts';
import { contractTag } from '../openapi/paths.ts';
import type { OpenApiDocument, Operation } from '../openapi/types.ts';
import { errorsPage } from './errors-page.ts';
import { eventsPage } from './events-page.ts';
import { type Guide, guideMarkup, guidesName, guideTitle } from './guides.ts';
import { code, escaped, inlineMarkdown, list, markdown } from './markup.ts';
import { underOnePrefix } from './one-prefix.ts';
import { type Documents, endpointMarkup, operationMarkup } from './operation.ts';
import { type Frame, frame } from './page.ts';
import { objectsMarkup } from './schema.ts';
import { searchIndex } from './search-index.ts';
import { linkFrom, type Origin, type PageScript, type Place } from './site.ts';
import { styles } from './styles.ts';
import { type Group, groupsOf, titleOf } from './titles.ts';

/** The reference as pages, and the policy that each is sent with. */
export interface ReferencePages {
  /** The first page, at `/docs`. */
  readonly start: string;
  /** The others by the last segment of their paths: one for each group of operations, `events`, `errors`, and the guides. */
  readonly pages: Readonly<Record<string, string>>;
  /**
   * The `Content-Security-Policy`: the one style sheet and the one script of the pages by their hashes, and nothing else
   * but what the script needs. https://www.w3.org/TR/CSP3/
   */
  readonly policy: string;
}

/** Renders an OpenAPI document and the guides. The same ones give the same pages, whose content needs no script. */
export function referencePages(
  document: OpenApiDocument,
  guides: readonly Guide[],
  script: PageScript,
): ReferencePages {
  const published = underOnePrefix(document);
  const documents = { published, inline: withInlineObjects(published) };
  const groups = groupsOf(published);
  const index = JSON.stringify(searchIndex(published, groups, guides, documents.inline)).replaceAll(
    '<',
    '\\u003c',
  );
  const shared: Frame = { name: published.info.title, groups, guides, index, script: script.text };
  const operations = groups.flatMap((group) => group.operations.map(({ operation }) => operation));
  const groupOf = new Map(
    groups.flatMap((group) => group.operations.map(({ operation }) => [operation.operationId, group.name])),
  );
  const linkTo =
    (place: Place) =>
    ({ operationId }: Operation) =>
      `<a href="${linkFrom(place, groupOf.get(operationId), operationId)}">${escaped(titleOf(operationId))}</a>`;
  const page = (name: string, title: string, content: string) => [
    name,
    frame(shared, { name }, title, content + objectsMarkup(content, published.components.schemas)),
  ];
  return {
    start: frame(shared, { name: undefined }, '', startPage(published, groups, linkTo({ name: undefined }))),
    pages: Object.fromEntries([
      ...groups.map((group) => page(group.name, group.title, groupPage(group, documents, script.origin))),
      ...guides.map((guide) => page(guide.name, guideTitle(guide), guideMarkup(guide, guide))),
      page('events', 'Events', eventsPage(published, operations, linkTo({ name: 'events' }))),
      page('errors', 'Errors', errorsPage(published, operations, linkTo({ name: 'errors' }))),
    ]),
    policy: [
      "default-src 'none'",
      `script-src ${sourceHash(script.text)}`,
      `style-src ${sourceHash(styles)}`,
      ...connections[script.origin],
      // The empty icon, which keeps browsers from asking for /favicon.ico.
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  };
}

/** The directives for what the script of an origin connects to. */
const connections: Readonly<Record<Origin, readonly string[]>> = {
  deployed: [],
  local: ["connect-src 'self'"],
};

/** https://www.w3.org/TR/CSP3/#grammardef-hash-source */
const sourceHash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function groupPage(
  { name, title, description, operations }: Group,
  documents: Documents,
  origin: Origin,
): string {
  const links = operations.map(
    (placed) =>
      `<a href="#${escaped(placed.operation.operationId)}">${escaped(titleOf(placed.operation.operationId))}</a> <span class="endpoint">${endpointMarkup(placed)}</span>`,
  );
  const articles = operations.map((placed) => operationMarkup(placed, documents, { name }, origin));
  return `<h1>${escaped(title)}</h1><p class="lead">${inlineMarkdown(description)}</p>${list(links, 'contents')}
${articles.join('\n')}
`;
}

const start: Place = { name: undefined };

function startPage(
  document: OpenApiDocument,
  groups: readonly Group[],
  link: (operation: Operation) => string,
): string {
  const { info } = document;
  const cards = [
    ...groups.map(({ name, title, description }) => [name, title, description]),
    [
      guidesName,
      'Guides',
      'Each does one job from the first line to the last, with code that runs as pasted.',
    ],
    ['events', 'Events', 'What a webhook receives, by type.'],
    ['errors', 'Errors', 'Every error, with what to do about it.'],
  ].map(
    ([name = '', title = '', text = '']) =>
      `<a href="${linkFrom(start, name)}">${escaped(title)}</a><p>${inlineMarkdown(text)}</p>`,
  );
  return `<h1>${escaped(info.title)} API reference</h1>
<p class="lead">Every operation, with who may call it, an example, its errors and the events that follow. Also as an <a href="openapi.json">OpenAPI document</a>. Version ${escaped(info.version)}.</p>
<section id="groups"><h2>Groups</h2>${list(cards, 'cards')}</section>
${examplesSection}
${authenticationSection(document)}
<section id="conventions"><h2>Conventions</h2>${markdown(info.description)}</section>
${contractSection(groups, link)}
<p class="facts">License: ${escaped(info.license.name)}.</p>`;
}

const examplesSection = `<section id="examples"><h2>Examples</h2><p>Each operation has an example in three languages. They need the address of the API:</p>
<pre><code class="api"># curl, in a POSIX shell
api=https://api.example.com

// TypeScript
const api = 'https://api.example.com';

# Python, with the package requests
api = "https://api.example.com"</code></pre>
<p>The package <code>vouchsafe-client</code> is served by every deployment. Put your keys and ids in place of those in the examples.</p></section>`;

function authenticationSection({ components }: OpenApiDocument): string {
  const panels = Object.entries(components.securitySchemes).map(([name, scheme]) => {
    const header = scheme.type === 'apiKey' ? `${scheme.name}: ...` : 'authorization: Bearer ...';
    return `<div class="panel" id="auth-${escaped(name)}"><h3>${escaped(name)}</h3><p>${code(header)}</p>${markdown(scheme.description)}</div>`;
  });
  return `<section id="authentication"><h2>Authentication</h2>${panels.join('')}</section>`;
}

/** The operations of the contract, which are described with their groups. */
function contractSection(groups: readonly Group[], link: (operation: Operation) => string): string {
  const links = groups
    .flatMap((group) => group.operations)
    .filter(({ operation }) => operation.tags.includes(contractTag.name))
    .map((placed) => `${link(placed.operation)} <span class="endpoint">${endpointMarkup(placed)}</span>`);
  return `<section id="contract"><h2>The contract</h2><p>${inlineMarkdown(contractTag.description)}</p>${list(links, 'contents')}</section>`;
}

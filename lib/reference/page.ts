import { createHash } from 'node:crypto';
import { withInlineObjects } from '../openapi/components.ts';
import { contractTag } from '../openapi/contract.ts';
import { operationsOf, type PlacedOperation } from '../openapi/placed-operation.ts';
import type { OpenApiDocument, Schema } from '../openapi/types.ts';
import { code, escaped, inlineMarkdown, list, markdown } from './markup.ts';
import { deliveryMarkup, eventMarkup, operationMarkup, responseMarkup } from './operation.ts';
import { fieldMarkup, schemaMarkup } from './schema.ts';
import { script } from './script.ts';
import { styles } from './styles.ts';

/** The reference as one page, and the policy that it is sent with. */
export interface ReferencePage {
  readonly html: string;
  /**
   * The `Content-Security-Policy`: the one style sheet and the one script of the page by their hashes, and nothing else.
   * https://www.w3.org/TR/CSP3/
   */
  readonly policy: string;
}

/** Renders an OpenAPI document. The same document gives the same page, whose content needs no script. */
export function referencePage(published: OpenApiDocument): ReferencePage {
  const document = withInlineObjects(published);
  const groups = groupsOf(document);
  const policy = [
    "default-src 'none'",
    `script-src ${sourceHash(script)}`,
    `style-src ${sourceHash(styles)}`,
    // The empty icon, which keeps browsers from asking for /favicon.ico.
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const title = `${String(document.info.title)} API reference`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escaped(title)}</title>
<style>${styles}</style>
</head>
<body>
<nav aria-label="Operations">
<a class="skip" href="#content">Skip to the content</a>
<div hidden><label for="search">Filter operations</label><input id="search" type="search" autocomplete="off" spellcheck="false"></div>
<p id="status" role="status" class="facts"></p>
${groups.map(navigation).join('\n')}
<div data-group><h2>General</h2>${list(general.map(([id, text]) => `<a href="#${id}">${text}</a>`))}</div>
</nav>
<header>
<h1>${escaped(title)}</h1>
<p>Version ${escaped(String(document.info.version))}. Also as an <a href="openapi.json">OpenAPI document</a>.</p>
</header>
<main id="content" tabindex="-1">
<section id="conventions"><h2>Conventions</h2>${markdown(String(document.info.description))}
<p>The examples are for a POSIX shell, after this line with the address of the API:</p>
<pre><code id="api">api=https://api.example.com</code></pre>
</section>
${authenticationSection(document)}
${contractSection(document)}
${groups.map((group) => section(group, document)).join('\n')}
${eventsSection(document)}
${componentSections(document)}
</main>
<footer><p>License: ${escaped(licenseOf(document))}.</p></footer>
<script>${script}</script>
</body>
</html>
`;
  return { html, policy };
}

const general = [
  ['conventions', 'Conventions'],
  ['authentication', 'Authentication'],
  ['contract', 'The contract'],
  ['events', 'Events and their deliveries'],
  ['gateway', 'Responses of the gateway'],
  ['headers', 'Response headers'],
  ['schemas', 'Error schemas'],
] as const;

interface Group {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly PlacedOperation[];
}

/** The operations of each tag, in the order of the document. */
function groupsOf(document: OpenApiDocument): Group[] {
  const operations = operationsOf(document);
  return document.tags
    .map(({ name, description }) => ({
      name,
      description,
      operations: operations.filter(({ operation }) => operation.tags[0] === name),
    }))
    .filter((group) => group.operations.length > 0);
}

function navigation({ name, operations }: Group): string {
  const items = operations.map(
    ({ method, path, operation: { operationId } }) =>
      `<li data-of="${escaped(operationId)}"><a href="#${escaped(operationId)}"><span class="method ${method.toLowerCase()}">${method}</span> ${escaped(path)}</a></li>`,
  );
  return `<div data-group><h2><a href="#service-${escaped(name)}">${escaped(name)}</a></h2><ul>${items.join('')}</ul></div>`;
}

function section({ name, description, operations }: Group, document: OpenApiDocument): string {
  const articles = operations.map((operation) => operationMarkup(operation, document));
  return `<section id="service-${escaped(name)}" data-group><h2>${escaped(name)}</h2><p>${inlineMarkdown(description)}</p>
${articles.join('\n')}</section>`;
}

function authenticationSection({ components }: OpenApiDocument): string {
  const panels = Object.entries(components.securitySchemes ?? {}).map(([name, scheme]) => {
    const header = scheme.type === 'apiKey' ? `${scheme.name}: ...` : 'authorization: Bearer ...';
    return `<div class="panel" id="auth-${escaped(name)}"><h3>${escaped(name)}</h3><p>${code(header)}</p>${markdown(scheme.description)}</div>`;
  });
  return `<section id="authentication"><h2>Authentication</h2>${panels.join('')}</section>`;
}

/** The operations of the contract, which are described with their services. */
function contractSection(document: OpenApiDocument): string {
  const operations = operationsOf(document).filter(({ operation }) =>
    operation.tags.includes(contractTag.name),
  );
  const links = operations.map(
    ({ method, path, operation: { operationId } }) =>
      `<a href="#${escaped(operationId)}">${method} ${escaped(path)}</a>`,
  );
  return `<section id="contract"><h2>The contract</h2><p>${inlineMarkdown(contractTag.description)}</p>${list(links)}</section>`;
}

/** The deliveries of events, which receivers take. */
function eventsSection({ webhooks = {} }: OpenApiDocument): string {
  const { post } = webhooks.event ?? {};
  if (post === undefined) return '';
  const { schema, examples = {} } = post.requestBody.content['application/json'] ?? { schema: {} };
  const schemas = ('oneOf' in schema ? schema.oneOf : undefined) as readonly Schema[] | undefined;
  const articles = Object.entries(examples).map(([type, example], i) =>
    eventMarkup(type, example, schemas?.[i] ?? {}),
  );
  return `<section id="events"><h2>Events and their deliveries</h2><p>What a webhook receives, by type of event. The <a href="#conventions">conventions</a> say how deliveries are made and verified.</p>${deliveryMarkup(post)}${articles.join('\n')}</section>`;
}

function componentSections({ components }: OpenApiDocument): string {
  const { Gateway } = components.responses;
  const headers = Object.entries(components.headers).map(
    ([name, { schema, description, required = false }]) =>
      `<div id="header-${escaped(name)}">${fieldMarkup(name, schema, required, description)}</div>`,
  );
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<div class="panel" id="schema-${escaped(name)}"><h3>${escaped(name)}</h3>${schemaMarkup(schema)}</div>`,
  );
  return `<section id="gateway"><h2>Responses of the gateway</h2>${Gateway ? responseMarkup('default', Gateway) : ''}</section>
<section id="headers"><h2>Response headers</h2><div class="panel">${list(headers, 'fields')}</div></section>
<section id="schemas"><h2>Error schemas</h2>${schemas.join('')}</section>`;
}

function licenseOf({ info }: OpenApiDocument): string {
  return String((info.license as { name?: string } | undefined)?.name ?? 'none');
}

/** https://www.w3.org/TR/CSP3/#grammardef-hash-source */
function sourceHash(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

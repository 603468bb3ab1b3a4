import { apiDiff } from 'api-smart-diff';
import type { OpenApiDocument } from '../../../lib/openapi/types.ts';

/** A change of the document that breaks a client. */
interface BreakingChange {
  /** `GET /plans`, `receiveEvent`, or the name of an object. */
  name: string;
  text: string;
}

type Difference = ReturnType<typeof apiDiff>[number];

/** The changes from one document to the next for which a client has to change. */
export function breakingChanges(last: OpenApiDocument, next: OpenApiDocument): BreakingChange[] {
  // The comparison takes seconds for a whole document: it gets what differs.
  const isChanged = (path: string) =>
    JSON.stringify(partOf(last, [path])) !== JSON.stringify(partOf(next, [path]));
  const changed = Object.keys(last.paths).filter(isChanged);
  const removed = Object.keys(last.components.schemas).filter((name) => !(name in next.components.schemas));
  return [
    ...apiDiff(partOf(last, changed), partOf(next, changed)).filter(isBreaking).map(toChange),
    // Another object is judged where it is sent or received. Its name is that of a generated type.
    ...removed.map((name) => ({ name, text: `remove components/schemas/${name}` })),
  ];
}

/** A document with some of its paths, with its webhooks, and with the components that these name, directly or through others. */
export function partOf(document: OpenApiDocument, names: readonly string[]): OpenApiDocument {
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => names.includes(path)));
  const part = { paths, webhooks: document.webhooks, components: {} };
  const all = document.components;
  const waiting = [JSON.stringify(part)];
  const kept: Record<string, Record<string, unknown>> = {};
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    for (const [, kind = '', name = ''] of text.matchAll(/"#\/components\/(\w+)\/([^"]+)"/g)) {
      const component: unknown = Object(Object(all)[kind])[name];
      kept[kind] ??= {};
      const ofKind = kept[kind];
      if (component === undefined || name in ofKind) continue;
      ofKind[name] = component;
      waiting.push(JSON.stringify(component));
    }
  }
  return Object.assign({}, document, part, { components: Object.assign({ schemas: {} }, kept) });
}

function isBreaking({ path, type, action }: Difference): boolean {
  // The library takes any replaced type of a response for a narrower one. A generated method has the id of its operation.
  const isReplaced = action === 'replace' && ['type', 'operationId'].includes(String(path.at(-1)));
  return path[0] !== 'components' && (type === 'breaking' || isReplaced);
}

function toChange({ path, action, description }: Difference): BreakingChange {
  const [part, first, second] = path.map(String);
  const names: Readonly<Record<string, string | undefined>> = {
    paths: `${second?.toUpperCase()} ${first}`,
    webhooks: 'receiveEvent',
  };
  return { name: names[part ?? ''] ?? '', text: description ?? `${action} ${path.join('/')}` };
}

/** The changes that no bullet of a changelog names after `Breaking:`. */
export function unnamedChanges(changes: readonly BreakingChange[], changelog: string): BreakingChange[] {
  const bullets = changelog.split(/\n(?=- |#)/).filter((bullet) => bullet.startsWith('- Breaking:'));
  return changes.filter(({ name }) => !bullets.some((bullet) => bullet.includes(`\`${name}\``)));
}

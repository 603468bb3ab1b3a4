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
  return apiDiff(last, next).filter(isBreaking).map(toChange);
}

function isBreaking({ path, type, action }: Difference): boolean {
  const [part, kind, ...below] = path;
  // An object is judged where it is sent or received. Its name is that of a generated type.
  if (part === 'components') return kind === 'schemas' && below.length === 1 && action === 'remove';
  // The library takes any replaced type of a response for a narrower one. A generated method has the id of its operation.
  const isReplaced = action === 'replace' && ['type', 'operationId'].includes(String(path.at(-1)));
  return (part === 'paths' || part === 'webhooks') && (type === 'breaking' || isReplaced);
}

function toChange({ path, action, description }: Difference): BreakingChange {
  const [part, first, second] = path.map(String);
  const names: Readonly<Record<string, string | undefined>> = {
    paths: `${second?.toUpperCase()} ${first}`,
    webhooks: 'receiveEvent',
    components: String(path.at(-1)),
  };
  return { name: names[part ?? ''] ?? '', text: description ?? `${action} ${path.join('/')}` };
}

/** The changes that no bullet of a changelog names after `Breaking:`. */
export function unnamedChanges(changes: readonly BreakingChange[], changelog: string): BreakingChange[] {
  const bullets = changelog.split(/\n(?=- |#)/).filter((bullet) => bullet.startsWith('- Breaking:'));
  return changes.filter(({ name }) => !bullets.some((bullet) => bullet.includes(`\`${name}\``)));
}

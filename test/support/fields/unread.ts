import { globSync } from 'node:fs';
import { sep } from 'node:path';
import type { Registered } from '../../../functions/routes.ts';
import { Flow } from './flow.ts';
import { fieldPath, inputOf } from './input-object.ts';
import { nameIn, namesIn, root } from './sources.ts';

const sources = globSync('functions/**/*.ts', { cwd: root, exclude: ['**/contracts/**'] }).map(
  (path) => `${root}/${path.replaceAll(sep, '/')}`,
);

/**
 * The fields of a route that no code reads. A field of an object that is stored whole counts as read when the service, or a
 * module that the object comes to, reads a field of this name or gives it a type.
 *
 * @param readAnywhere the objects that are stored for all services.
 */
export function unreadFields(
  { id, service, name, route }: Registered,
  readAnywhere: readonly string[],
  addedTo?: (path: string) => boolean,
): string[] {
  const handler = nameIn(`${root}/functions/${service}/${name}.ts`, 'handler');
  if (handler === undefined) throw new Error(`${id} has no handler`);
  const { unread, escaped, modules } = new Flow(inputOf(route, addedTo), handler);
  const ofService = sources.filter((path) => path.startsWith(`${root}/functions/${service}/`));
  const readers = [...ofService, ...sources.filter((path) => modules.includes(path))];
  return [...unread].flatMap(([object, fields]) => {
    const stored = readAnywhere.some((path) => `${id} ${object.path}`.startsWith(path)) ? sources : readers;
    const isNamed = (field: string) => escaped.has(object) && stored.some((path) => namesIn(path).has(field));
    return [...fields]
      .filter((field) => !isNamed(field))
      .map((field) => `${id} ${fieldPath(object.path, field)}`);
  });
}

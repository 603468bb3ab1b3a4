import { isObject, mergePatch } from '../../functions/shared/contract/merge-patch.ts';
import { printable } from './print.ts';

/**
 * The changes that an update makes, as lines that begin with `-` for a present value and `+` for a new one. The service merges in
 * the same way.
 *
 * @param former the present record.
 */
export function difference(former: unknown, changes: Readonly<Record<string, unknown>>): string {
  const before = valuesOf(former);
  const after = valuesOf(mergePatch(former, changes));
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  const lines = paths.flatMap((path) => [
    ...(before.has(path) ? [`- ${path}: ${before.get(path)}`] : []),
    ...(after.has(path) ? [`+ ${path}: ${after.get(path)}`] : []),
  ]);
  return lines.length === 0
    ? 'No changes: the record already has these values.'
    : lines.map(printable).join('\n');
}

/** The values of an object, as JSON, by their paths: `settings.banking.iban`. */
function valuesOf(value: unknown, path = ''): Map<string, string> {
  if (!isObject(value)) return new Map([[path, JSON.stringify(value)]]);
  return new Map(
    Object.entries(value).flatMap(([name, one]) => [
      ...valuesOf(one, path === '' ? name : `${path}.${name}`),
    ]),
  );
}

import { isObject, mergePatch } from '../../functions/shared/contract/merge-patch.ts';
import { printable } from './print.ts';
import type { Verb } from './verb.ts';

/**
 * The changes that an update of an application makes, as lines that begin with `-` for a present value and `+` for a new one. The
 * service merges in the same way.
 */
export const applicationDifference: NonNullable<Verb['preview']> = async (
  { application: _, ...changes },
  read,
) => {
  const { application } = (await read()) as { application: unknown };
  const before = valuesOf(application);
  const after = valuesOf(mergePatch(application, changes));
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  );
  const lines = paths.flatMap((path) => [
    ...(before.has(path) ? [`- ${path}: ${before.get(path)}`] : []),
    ...(after.has(path) ? [`+ ${path}: ${after.get(path)}`] : []),
  ]);
  return lines.length === 0 ? 'The application already has these values.' : lines.map(printable).join('\n');
};

/** The values of an object, as JSON, by their paths: `settings.banking.iban`. */
function valuesOf(value: unknown, path = ''): Map<string, string> {
  if (!isObject(value)) return new Map([[path, JSON.stringify(value)]]);
  return new Map(
    Object.entries(value).flatMap(([name, one]) => [
      ...valuesOf(one, path === '' ? name : `${path}.${name}`),
    ]),
  );
}

import * as z from 'zod/mini';
import { objects } from '../../functions/objects.ts';

const names = new Map<z.core.$ZodType, string>(
  Object.entries(objects).map(([name, schema]) => [schema, name]),
);

/** The metadata of schemas, with the name of each object as its `id`, which Zod makes one of the `$defs`. */
class NamedObjects extends z.core.$ZodRegistry<z.core.GlobalMeta> {
  override get(schema: z.core.$ZodType) {
    const id = names.get(schema);
    const metadata = z.globalRegistry.get(schema);
    return id === undefined ? metadata : Object.assign({}, metadata, { id });
  }
}

export const namedObjects = new NamedObjects();

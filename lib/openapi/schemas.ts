import * as z from 'zod/mini';
import { objects } from '../../functions/objects.ts';
import { defined } from '../../functions/shared/contract/defined.ts';
import { type Route, statesReason } from '../../functions/shared/contract/route.ts';
import { ReasonHeaders } from '../../functions/shared/fields/reason.ts';
import { pathRecordOf } from './example-texts.ts';
import { parameterNames } from './paths.ts';
import type { Parameter, Schema } from './types.ts';

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

const namedObjects = new NamedObjects();

/**
 * A schema of a contract as JSON Schema.
 *
 * @param io `input` is what a caller sends: fields with a default may be left out. `output` is what they receive.
 */
export const jsonSchema = (schema: z.ZodMiniType, io: 'input' | 'output'): Schema =>
  converted(schema, io, z.globalRegistry);

/**
 * The same, with a reference to each object that has a name. The objects are its `$defs`, which `components.ts` makes
 * components of the document.
 *
 * @param io `closed` is an input whose unknown fields are refused.
 * @param name of the schema itself, if it is an object without one.
 */
export function namedSchema(schema: z.ZodMiniType, io: 'input' | 'closed' | 'output', name: string): Schema {
  const { $defs, ...own } = converted(schema, io, namedObjects);
  if (own.type !== 'object' || own.properties === undefined) return { ...own, ...defined({ $defs }) };
  return { $ref: `#/$defs/${name}`, $defs: Object.assign({ [name]: own }, $defs) };
}

function converted(
  schema: z.ZodMiniType,
  io: 'input' | 'closed' | 'output',
  metadata: z.core.$ZodRegistry<z.core.GlobalMeta>,
): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: io === 'output' ? 'output' : 'input',
    metadata,
    override: ({ jsonSchema }) => {
      // The format is enough: its pattern is hundreds of unreadable characters.
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      // Alternatives can overlap where what tells them apart is optional.
      if (jsonSchema.oneOf !== undefined) {
        jsonSchema.anyOf = jsonSchema.oneOf;
        delete jsonSchema.oneOf;
      }
      // A request has its example as a whole.
      if (io !== 'output' && metadata === namedObjects) delete jsonSchema.examples;
      // Responses may gain fields, which must not break a client that validates them.
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
      if (io === 'closed' && jsonSchema.properties !== undefined) jsonSchema.additionalProperties = false;
    },
  });
  return rest;
}

/** The `{name}` segments of a path, then headers, then the query. */
export function parameters(route: Route): Parameter[] {
  const { path, params, headers, query, method, operatorScope } = route;
  const takesReason = operatorScope !== undefined && method !== 'GET' && !statesReason(route);
  const described = fields('path', params);
  const inPath = parameterNames(path).map((name): Parameter => {
    const found = described.find((parameter) => parameter.name === name);
    const { schema, ...parameter } = found ?? {
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' as const },
    };
    const example = schema.examples === undefined ? pathRecordOf(path, name) : undefined;
    return {
      ...parameter,
      schema: { ...schema, ...defined({ examples: example === undefined ? undefined : [example] }) },
    };
  });
  const reason = takesReason ? fields('header', ReasonHeaders) : [];
  return [...inPath, ...fields('header', headers), ...reason, ...fields('query', query)];
}

function fields(where: Parameter['in'], object: z.ZodMiniObject | undefined): Parameter[] {
  const { properties = {}, required = [] } = object === undefined ? {} : jsonSchema(object, 'input');
  return Object.entries(properties).map(([name, schema]) => {
    const { description, ...rest } = typeof schema === 'boolean' ? {} : schema;
    return {
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      ...defined({ description }),
      schema: rest,
    };
  });
}

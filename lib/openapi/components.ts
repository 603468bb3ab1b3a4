import { errorSchemas } from './errors.ts';
import type { OpenApiDocument, Schema } from './types.ts';

type Schemas = Record<string, Schema>;

const time: Schema = { type: 'string', format: 'date-time', description: 'A time: ISO 8601.' };
const isTime = (schema: Schema): boolean => schema.type === time.type && schema.format === time.format;

/**
 * The document with the `$defs` of all its schemas as components, and references to them there. A time is a component too.
 *
 * @throws Error when two schemas have the same name.
 */
export function withComponents(document: OpenApiDocument): OpenApiDocument {
  const schemas: Schemas = Object.assign({}, document.components.schemas);
  const lifted = liftedFrom(document, schemas);
  schemas.Time = time;
  // Lists have the events that webhooks receive, so that one function can handle both.
  schemas.Event = { $ref: '#/components/schemas/WebhookEvent' };
  const names = Object.keys(schemas).toSorted();
  const sorted = Object.fromEntries(names.map((name) => [name, schemas[name] as Schema]));
  return Object.assign({}, lifted, { components: Object.assign({}, lifted.components, { schemas: sorted }) });
}

function liftedFrom<T>(value: T, schemas: Schemas): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => liftedFrom(one, schemas)) as T;
  const { $defs = {}, ...rest } = value as { $defs?: Schemas };
  for (const [name, schema] of Object.entries($defs)) {
    const lifted = liftedFrom(schema, schemas);
    const known = schemas[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(lifted))
      throw new Error(`Two schemas have the name ${name}`);
    schemas[name] = lifted;
  }
  if (isTime(rest)) {
    const { type: _, format: __, ...more } = rest as Schema;
    return Object.assign(more, { $ref: '#/components/schemas/Time' }) as T;
  }
  return Object.fromEntries(
    Object.entries(rest).map(([key, below]) => [
      key,
      key === '$ref'
        ? String(below).replace('#/$defs/', '#/components/schemas/')
        : liftedFrom(below, schemas),
    ]),
  ) as T;
}

/** The document with the objects themselves in place of references to them. Errors keep their references. */
export function withInlineObjects(document: OpenApiDocument): OpenApiDocument {
  const objects = Object.entries(document.components.schemas).filter(([name]) => !(name in errorSchemas));
  const { paths, webhooks } = inlined(document, Object.fromEntries(objects));
  const components = Object.assign({}, document.components, { schemas: errorSchemas });
  return Object.assign({}, document, { paths, webhooks, components });
}

/** A value of the document with the schemas themselves in place of references to them. */
export function inlined<T>(value: T, schemas: Readonly<Schemas>): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => inlined(one, schemas)) as T;
  const { $ref, ...rest } = value as { $ref?: unknown };
  const name = typeof $ref === 'string' ? $ref.replace('#/components/schemas/', '') : '';
  const schema = schemas[name];
  if (schema !== undefined) return inlined(Object.assign({}, schema, rest) as T, schemas);
  return Object.fromEntries(Object.entries(value).map(([key, below]) => [key, inlined(below, schemas)])) as T;
}

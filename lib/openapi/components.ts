import { isObject } from '../../functions/shared/contract/merge-patch.ts';
import { errorSchemas } from './errors.ts';
import type { OpenApiDocument, Schema } from './types.ts';

type Schemas = Record<string, Schema>;

const time: Schema = { type: 'string', format: 'date-time', description: 'A time: ISO 8601.' };

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
  const sorted = Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return Object.assign({}, lifted, { components: Object.assign({}, lifted.components, { schemas: sorted }) });
}

/** @param schemas gets what is lifted. */
function liftedFrom(document: OpenApiDocument, schemas: Schemas): OpenApiDocument {
  return JSON.parse(JSON.stringify(document), (key, value) => {
    if (key === '$ref') return value.replace('#/$defs/', '#/components/schemas/');
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const { $defs = {}, ...schema } = value;
    for (const [name, one] of Object.entries<Schema>($defs)) {
      if (JSON.stringify(schemas[name] ?? one) !== JSON.stringify(one))
        throw new Error(`Two schemas have the name ${name}`);
      schemas[name] = one;
    }
    if (schema.type !== time.type || schema.format !== time.format) return schema;
    const { type: _, format: __, ...more } = schema;
    return Object.assign(more, { $ref: '#/components/schemas/Time' });
  });
}

/** The document with the objects themselves in place of references to them. Errors keep their references. */
export function withInlineObjects(document: OpenApiDocument): OpenApiDocument {
  const objects = Object.entries(document.components.schemas).filter(([name]) => !(name in errorSchemas));
  const { paths, webhooks } = inlined(document, Object.fromEntries(objects));
  const components = Object.assign({}, document.components, { schemas: errorSchemas });
  return Object.assign({}, document, { paths, webhooks, components });
}

/** A value of the document with the schemas themselves in place of references to them. */
export function inlined<T>(value: T, schemas: Readonly<Schemas>): T;
export function inlined(value: unknown, schemas: Readonly<Schemas>): unknown {
  if (Array.isArray(value)) return value.map((one) => inlined(one, schemas));
  if (!isObject(value)) return value;
  const { $ref = '', ...rest } = value;
  const schema = schemas[String($ref).replace('#/components/schemas/', '')];
  if (schema !== undefined) return inlined(Object.assign({}, schema, rest), schemas);
  return Object.fromEntries(Object.entries(value).map(([key, below]) => [key, inlined(below, schemas)]));
}

import type { core } from 'zod/mini';
import type { ErrorBody } from '../../functions/shared/contract/errors.ts';

/** The part of OpenAPI 3.1 that is used here: https://spec.openapis.org/oas/v3.1.1.html */
export interface OpenApiDocument {
  openapi: '3.1.1';
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  /** The navigation of readers such as Redocly: https://redocly.com/docs/api-reference-docs/specification-extensions/x-tag-groups */
  'x-tagGroups': { name: string; tags: string[] }[];
  paths: Record<string, Record<string, Operation>>;
  /** The operation of receivers of events. */
  webhooks: { event: { post: WebhookOperation } };
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    headers: Record<string, Header>;
    securitySchemes: Record<string, SecurityScheme>;
  };
}

export interface Operation {
  tags: string[];
  operationId: string;
  summary: string;
  description?: string;
  /** Other paths of the operation. */
  'x-aliases'?: string[];
  security: SecurityRequirement[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Record<string, MediaType<unknown>> };
  /** By status, as text; `default` is the response of the gateway itself. */
  responses: Record<string, Response | Reference>;
}

/** The delivery of an event. A receiver authenticates it by its signature. */
export type WebhookOperation = Omit<Operation, 'requestBody'> & {
  requestBody: { required: true; content: Record<string, MediaType<unknown>> };
};

/** JSON Schema, draft 2020-12. */
export type Schema = core.JSONSchema.BaseSchema;

export interface Reference {
  $ref: string;
}

export interface Header {
  description: string;
  /** Whether the response always has it. */
  required?: boolean;
  schema: Schema;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
}

export interface Response {
  description: string;
  headers?: Record<string, Header | Reference>;
  content: Record<string, MediaType>;
}

/** A body. `V` is the type of its examples: those of responses are errors. */
export interface MediaType<V = ErrorBody> {
  schema: Schema;
  examples?: Record<string, Example<V>>;
}

export interface Example<V = ErrorBody> {
  summary: string;
  value: V;
}

export type SecurityRequirement = Record<string, string[]>;
export type SecurityScheme = { type: string; description: string } & Record<string, unknown>;

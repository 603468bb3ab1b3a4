import { STATUS_CODES } from 'node:http';
import { defined } from '../../functions/shared/contract/defined.ts';
import { errorTable } from '../../functions/shared/contract/errors.ts';
import {
  type OtherResponse,
  pageHeaders,
  type ResponseHeader,
} from '../../functions/shared/contract/headers.ts';
import { errorCodes, type Route } from '../../functions/shared/contract/route.ts';
import { errorContent } from './errors.ts';
import { headerReferences } from './headers.ts';
import { capitalized } from './operation-id.ts';
import { namedSchema } from './schemas.ts';
import type { MediaType, Response } from './types.ts';

/** One form of a response. Several share a status, and differ in media type. */
interface Variant {
  status: number;
  description?: string;
  mediaType: string;
  content: MediaType;
  headers: readonly ResponseHeader[];
}

/** Every response of a route by status: the successful one, its errors, and the others that it declares. */
export function responses(route: Route, operationId: string): Record<string, Response> {
  const name = `${capitalized(operationId)}Response`;
  const { status = 200, responseHeaders = [], otherResponses = [] } = route;
  const success: Variant = {
    status,
    mediaType: mediaTypeOf(route),
    content: { schema: namedSchema(route.response, 'output', name) },
    headers: responseHeaders,
  };
  const variants = [
    success,
    ...otherResponses.map((one) => otherVariant(route, one, name)),
    ...errorVariants(route),
  ];
  return Object.fromEntries(
    [...Map.groupBy(variants, (variant) => variant.status)].map(([status, group]) => [
      String(status),
      response(route, status, group),
    ]),
  );
}

function response(route: Route, status: number, variants: readonly Variant[]): Response {
  const descriptions = variants.flatMap(({ description }) => description ?? []);
  const headers = headerReferences(
    [...new Set(variants.flatMap((variant) => variant.headers))],
    route.cors,
    status < 400 ? route.cacheSeconds : undefined,
  );
  return {
    description: descriptions.length > 0 ? descriptions.join(' ') : (STATUS_CODES[status] ?? String(status)),
    ...defined({ headers: Object.keys(headers).length > 0 ? headers : undefined }),
    content: Object.fromEntries(variants.map(({ mediaType, content }) => [mediaType, content])),
  };
}

const contentByType: Readonly<Record<NonNullable<OtherResponse['mediaType']>, MediaType>> = {
  'text/html': { schema: { type: 'string' } },
  'text/csv': { schema: { type: 'string' } },
  'text/plain': { schema: { type: 'string' } },
  'application/x-tar': { schema: { type: 'string' } },
  'application/pdf': { schema: { type: 'string', contentMediaType: 'application/pdf' } },
};

function otherVariant(route: Route, other: OtherResponse, name: string): Variant {
  const { status, description, mediaType, schema = route.response, isEmpty, headers } = other;
  const own = mediaType ? contentByType[mediaType] : { schema: namedSchema(schema, 'output', name) };
  return {
    status,
    description,
    mediaType: mediaType ?? mediaTypeOf(route),
    content: isEmpty ? { schema: { type: 'string', maxLength: 0 } } : own,
    headers,
  };
}

/** The errors of a route. Those that share a status are examples of one response. */
function errorVariants(route: Route): Variant[] {
  return [...Map.groupBy(errorCodes(route), (code) => errorTable[code].status)].flatMap(([status, codes]) => {
    const own: ResponseHeader[] = [
      ...(status === 429 || status === 503 ? (['retry-after'] as const) : []),
      ...(status >= 500 ? (['x-audit-id'] as const) : []),
      ...(codes.some((code) => 'challenge' in errorTable[code]) ? (['www-authenticate'] as const) : []),
    ];
    const json: Variant = {
      status,
      mediaType: 'application/json',
      content: errorContent(codes),
      headers: own,
    };
    const page: Variant = {
      status,
      mediaType: 'text/html',
      content: contentByType['text/html'],
      headers: [...pageHeaders, ...own],
    };
    return route.errorPages ? [json, page] : [json];
  });
}

/** Without parameters such as the charset: OpenAPI matches by type. */
function mediaTypeOf({ produces = 'application/json' }: Route): string {
  return produces.split(';', 1)[0] ?? produces;
}

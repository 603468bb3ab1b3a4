import { operationsOf } from './placed-operation.ts';
import type { OpenApiDocument, Reference, Response } from './types.ts';

/** A response that operations have, and how many. */
interface Part {
  response: Response;
  name: string;
  uses: number;
}

/**
 * The document with responses that several operations share in `components`, and a reference in their place. Compression
 * does not do this: DEFLATE finds a repetition within 32 KB only (RFC 1951), and operations with the same response are
 * further apart.
 *
 * An error is named by its status and its codes, such as `404.not_found`; another one with the same codes has a number after
 * it. Another response is named by its first operation and its status, such as `cancelSubscription.200`.
 */
export function withSharedParts(document: OpenApiDocument): OpenApiDocument {
  const parts = new Map<string, Part>();
  for (const { operation } of operationsOf(document)) {
    const { operationId, responses } = operation;
    for (const [status, response] of Object.entries(responses)) {
      if ('$ref' in response) continue;
      const text = JSON.stringify(response);
      const part = parts.get(text) ?? {
        response,
        name: responseName(response, operationId, status),
        uses: 0,
      };
      parts.set(text, Object.assign(part, { uses: part.uses + 1 }));
    }
  }
  const shared: Record<string, Response> = Object.assign({}, document.components.responses);
  const references = new Map<string, Reference>();
  for (const [text, { response, name, uses }] of parts) {
    if (uses < 2) continue;
    const free = freeName(name, shared);
    shared[free] = response;
    references.set(text, { $ref: `#/components/responses/${free}` });
  }
  return Object.assign({}, document, {
    paths: mapped(document.paths, (methods) =>
      mapped(methods, (operation) =>
        Object.assign({}, operation, {
          responses: mapped(operation.responses, (one) => references.get(JSON.stringify(one)) ?? one),
        }),
      ),
    ),
    components: Object.assign({}, document.components, { responses: shared }),
  });
}

const mapped = <V, W>(record: Readonly<Record<string, V>>, change: (value: V) => W): Record<string, W> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));

/** The codes of an error are those of its examples. */
function responseName({ content }: Response, operationId: string, status: string): string {
  const codes = Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples));
  return codes.length > 0 ? [status, ...codes].join('.') : `${operationId}.${status}`;
}

function freeName(name: string, taken: object): string {
  for (let n = 1; ; n += 1) {
    const free = n === 1 ? name : `${name}.${n}`;
    if (!(free in taken)) return free;
  }
}

import { resolved } from '../openapi/placed-operation.ts';
import type { MediaType, OpenApiDocument, Response } from '../openapi/types.ts';
import { code, escaped, inlineMarkdown } from './markup.ts';
import { schemaMarkup } from './schema.ts';

/** A response with its fields, closed until the reader opens it. */
export function responseMarkup(
  status: string,
  { description, headers = {}, content }: Response,
  published: OpenApiDocument,
): string {
  const names = Object.keys(headers).map(code);
  return [
    `<details><summary><span class="status s${escaped(status.slice(0, 1))}">${escaped(status)}</span> ${inlineMarkdown(description)}</summary>`,
    contentMarkup(content, published),
    names.length > 0 ? `<p class="facts">Headers: ${names.join(', ')}</p>` : '',
    '</details>',
  ].join('');
}

/** The media types of a body. */
export function contentMarkup(
  content: Readonly<Record<string, MediaType<unknown>>>,
  document: OpenApiDocument,
): string {
  return Object.entries(content)
    .map(
      ([type, { schema }]) =>
        `<p class="facts">${code(type)}</p>${schemaMarkup(resolved(document, schema) ?? {})}`,
    )
    .join('');
}

import { errorTable, type GatewayErrorCode, gatewayErrors } from '../../functions/shared/contract/errors.ts';
import type { OpenApiDocument, Operation } from '../openapi/types.ts';
import { errorAdvice, gatewayAdvice } from './error-advice.ts';
import { type ErrorText, errorsOf, errorText, isCode } from './errors.ts';
import { escaped, inlineMarkdown, list } from './markup.ts';
import { fieldMarkup, responseMarkup, schemaMarkup } from './schema.ts';
import { linkFrom } from './site.ts';

const isGatewayCode = (name: string): name is GatewayErrorCode => Object.hasOwn(gatewayErrors, name);

function errorMarkup(id: string, row: ErrorText, advice: string, users: string): string {
  const { status, error } = row;
  const text = errorText(row);
  return `<article id="${escaped(id)}" class="error"><h3><a href="#${escaped(id)}">${status} ${escaped(error)}</a></h3>
${text === '' ? '' : `<p>${escaped(text)}</p>`}<p>${inlineMarkdown(advice)}</p>${users}</article>`;
}

/**
 * The page of all errors: each with its text and what to do, what API Gateway answers, and the schemas and headers.
 *
 * @param link to an operation by its id.
 */
export function errorsPage(
  document: OpenApiDocument,
  operations: readonly Operation[],
  link: (operation: Operation) => string,
): string {
  const codes = Object.keys(errorTable).filter(isCode);
  const own = codes.flatMap((name) => {
    const users = operations.filter((operation) => errorsOf(operation).some((one) => one.code === name));
    if (users.length === 0) return [];
    const links = `<details><summary>${users.length === 1 ? '1 operation' : `${users.length} operations`}</summary>${list(users.map(link))}</details>`;
    return [errorMarkup(`error-${name}`, errorTable[name], errorAdvice[name], links)];
  });
  const ofGateway = Object.keys(gatewayErrors)
    .filter(isGatewayCode)
    .map((name) => errorMarkup(`gateway-${name}`, gatewayErrors[name], gatewayAdvice[name], ''));
  const { Gateway } = document.components.responses;
  const headers = Object.entries(document.components.headers).map(
    ([name, { schema, description, required = false }]) => fieldMarkup(name, schema, required, description),
  );
  return [
    `<h1>Errors</h1><p class="lead">Every error is JSON. Compare <code>error</code>; <code>details</code> name each invalid field, or what to do next. <a href="${linkFrom({ name: 'errors' }, undefined, 'conventions')}">The conventions</a> show the three shapes.</p>`,
    `<section id="operations"><h2>Errors of operations</h2>${own.join('\n')}</section>`,
    `<section id="gateway"><h2>Errors of the gateway</h2><p>API Gateway answers these before an operation runs, with the same form on every path.</p>${ofGateway.join('\n')}${Gateway === undefined ? '' : responseMarkup('default', Gateway, document)}</section>`,
    `<section id="headers"><h2>Headers of responses</h2>${list(headers, 'fields')}</section>`,
    `<section id="shapes"><h2>Shapes</h2>${['Error', 'CodedError', 'OAuthError'].map((name) => `<div id="schema-${name}"><h3>${name}</h3>${schemaMarkup(document.components.schemas[name] ?? {})}</div>`).join('')}</section>`,
  ].join('\n');
}

import { type ErrorCode, errorTable } from '../../functions/shared/contract/errors.ts';
import type { Operation } from '../openapi/types.ts';
import { errorAdvice } from './error-advice.ts';
import { code, inlineMarkdown } from './markup.ts';
import { linkFrom, type Place } from './site.ts';

/** The codes of the errors of an operation, with their status. */
export function errorsOf({ responses }: Operation): { status: string; code: ErrorCode }[] {
  return Object.entries(responses).flatMap(([status, response]) => {
    if ('$ref' in response || !/^[45]/.test(status)) return [];
    const names = Object.values(response.content).flatMap(({ examples = {} }) => Object.keys(examples));
    return names.filter(isCode).map((name) => ({ status, code: name }));
  });
}

/** A row of the table of errors. One of OAuth has a description. */
export interface ErrorText {
  readonly status: number;
  readonly error: string;
  readonly message?: string;
  readonly description?: string;
}

/** The text of an error for people. */
export const errorText = ({ message, description }: ErrorText): string => message ?? description ?? '';

export const isCode = (name: string): name is ErrorCode => Object.hasOwn(errorTable, name);

/** The errors of an operation, each with what to do. */
export function errorRows(operation: Operation, place: Place): string {
  const rows = errorsOf(operation).map(
    ({ status, code: name }) =>
      `<li><a href="${linkFrom(place, 'errors', `error-${name}`)}"><span class="status s${status.slice(0, 1)}">${status}</span> ${code(errorTable[name].error)}</a> ${inlineMarkdown(errorAdvice[name])}</li>`,
  );
  const other = `<p class="facts">Also those <a href="${linkFrom(place, 'errors', 'gateway')}">of the gateway</a>.</p>`;
  if (rows.length === 0) return other;
  return `<details><summary>${rows.length === 1 ? '1 error' : `${rows.length} errors`}, with what to do</summary><ul class="errors">${rows.join('')}</ul>${other}</details>`;
}

/** The pages of requests that are refused. */
import type { OperatorScope } from '../../shared/contract/operator-scopes.ts';
import { html, type Markup } from '../../shared/html/markup.ts';
import { failureInWords, type Page, withErrorPages } from '../../shared/html/page.ts';
import type { LambdaHandler } from '../../shared/lambda/endpoint.ts';
import { consoleFrame } from './frame.ts';
import { addressesFrom } from './visit.ts';

/** The title of a page, and why nothing was done. */
interface Refusal {
  title: string;
  content: Markup;
}

const refusal = (title: string, text: string): Refusal => ({
  title,
  content: html`<h1>${title}</h1><p role="alert">${text}</p>`,
});

export const expiredForm = refusal(
  'Nothing was changed',
  'This form belongs to another sign-in, perhaps in another tab. Go back, reload the page, and try again.',
);

export const missingScope = (scope: OperatorScope): Refusal =>
  refusal(`Missing scope: ${scope}`, `Your operator key needs the scope ${scope}. Nothing was changed.`);

const malformed = refusal(
  'This request is not valid',
  'A field is missing, repeated, too long or unreadable. Nothing was changed.',
);

const byStatus: Readonly<Record<number, Refusal>> = {
  403: refusal('Nothing was changed', 'The form was sent by another site.'),
  404: refusal('Not found', 'There is no such record, or it was removed.'),
  409: refusal(
    'Nothing was changed',
    'The record has changed in the meantime. Reload the page and try again.',
  ),
  429: refusal('Too many attempts', 'Wait a minute, and try again.'),
};

/**
 * Makes a handler respond to errors with pages, for callers that accept HTML.
 *
 * @param path of its route.
 */
export function withConsoleErrorPages(path: string, handler: LambdaHandler): LambdaHandler {
  return withErrorPages(handler, consoleFrame, (status, auditId) =>
    withWayBack(status < 500 ? (byStatus[status] ?? malformed) : failure(auditId), path),
  );
}

/** A refusal as a page without a header, for a request whose session is not read. @param path of the route. */
export function withWayBack({ title, content }: Refusal, path: string): Page {
  const { href } = addressesFrom(path);
  return { title, content: html`${content}<p><a href="${href('/console')}">Back to the console</a></p>` };
}

function failure(auditId: string): Refusal {
  const { title, text } = failureInWords(auditId);
  return refusal(title, text);
}

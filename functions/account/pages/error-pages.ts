/** Responses of the account page to a form that cannot proceed. */
import type { Reply } from '../../shared/contract/route.ts';
import { html } from '../../shared/html/markup.ts';
import { type Page, redirectReply, withErrorPages } from '../../shared/html/page.ts';
import type { LambdaHandler } from '../../shared/lambda/endpoint.ts';
import { accountFrame } from './frame.ts';
import { accountUri } from './sign-in-pages.ts';

function problemPage(title: string, text: string): Page {
  return {
    title,
    content: html`<h1>${title}</h1><p role="alert">${text}</p><p><a href="${accountUri}">Back to your account</a></p>`,
  };
}

/** Redirects to the sign-in: the session has ended, or the browser does not keep cookies. */
export function sessionEnded(): Reply {
  return redirectReply(`${accountUri}?notice=expired`);
}

export const sessionEndedNotice =
  'Your sign-in has ended, or this browser did not keep it. Nothing was changed. Please sign in again; cookies have to be allowed for this page.';

/** The form token is forged, or belongs to another session. */
export function formTokenMismatch(): Reply {
  const text = 'This form belongs to another sign-in, perhaps in another tab. Nothing was done.';
  return accountFrame.reply(403, problemPage('Nothing was changed', text));
}

/** The form lacks a field, or its step is unknown. */
export function incompleteForm(): Reply {
  return accountFrame.reply(
    400,
    problemPage('Nothing was changed', 'The form is not complete. Nothing was done.'),
  );
}

/** Shown only to a person who has proved that they own the mailbox. */
export function noAccount(): Reply {
  const text =
    'No account can be signed in to with this address. If you have several addresses, try another. An account is found by its address once a device was verified with a code sent there, or an operator entered it.';
  return accountFrame.reply(403, problemPage('You cannot sign in with this address', text));
}

/** Renders as a page each error that replaces the handler's own response. */
export function withAccountErrorPages(handler: LambdaHandler): LambdaHandler {
  return withErrorPages(handler, accountFrame, (status, auditId) =>
    status < 500
      ? problemPage('This request cannot be used', errorTexts[status] ?? malformed)
      : problemPage(
          'Something failed on our side',
          `Please try again in a moment. When you report it, quote ${auditId}.`,
        ),
  );
}

const malformed = 'Something in it is repeated, too long or not readable. Nothing was done.';
const errorTexts: Readonly<Record<number, string>> = {
  409: 'Something changed your account at the same moment. Please try again.',
};

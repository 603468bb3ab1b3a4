import { html } from '../../shared/html/markup.ts';
import { failureInWords, type Page, redirectReply, withErrorPages } from '../../shared/html/page.ts';
import type { LambdaHandler, Reply } from '../../shared/lambda/endpoint.ts';
import { accountFrame } from './frame.ts';
import { accountUri } from './sign-in-pages.ts';

function problemPage(title: string, text: string): Page {
  return {
    title,
    content: html`<h1>${title}</h1><p role="alert">${text}</p><p><a href="${accountUri}">Back to your account</a></p>`,
  };
}

/** Redirects to the sign-in: the session has ended, or the browser does not keep cookies. */
export const sessionEnded = (): Reply => redirectReply(`${accountUri}?notice=expired`);

export const sessionEndedNotice =
  'Your sign-in has ended, or this browser did not keep it. Nothing was changed. Allow cookies for this page, and sign in again.';

export function formTokenMismatch(): Reply {
  const text =
    'This form belongs to another sign-in, perhaps in another tab. Go back to your account, and try again.';
  return accountFrame.reply(403, problemPage('Nothing was changed', text));
}

export function incompleteForm(): Reply {
  return accountFrame.reply(
    400,
    problemPage('Nothing was changed', 'The form is incomplete. Go back to your account, and try again.'),
  );
}

/** Shown only to a person who has proved that they own the mailbox. */
export function noAccount(): Reply {
  const text =
    'No account can sign in with this address. If you have several addresses, try another one. An address works here once you have verified a device with a code sent to it, or an operator has entered it.';
  return accountFrame.reply(403, problemPage('You cannot sign in with this address', text));
}

/** Renders as a page each error that replaces the handler's own response. */
export function withAccountErrorPages(handler: LambdaHandler): LambdaHandler {
  return withErrorPages(handler, accountFrame, (status, auditId) => {
    if (status < 500) return problemPage('This request is not valid', errorTexts[status] ?? malformed);
    const { title, text } = failureInWords(auditId);
    return problemPage(title, text);
  });
}

const malformed = 'A part of it is repeated, too long or unreadable. Nothing was changed.';
const errorTexts: Readonly<Record<number, string>> = {
  403: 'The form was sent by another site. Nothing was changed.',
  409: 'Your account was changed at the same time. Try again.',
};

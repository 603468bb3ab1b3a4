import { failureInWords, redirectReply, withErrorPages } from '../../shared/html/page.ts';
import type { LambdaHandler, Reply } from '../../shared/lambda/endpoint.ts';
import type { Parameters } from '../authorization/parameters.ts';
import type { AuthorizationError } from '../authorization/request.ts';
import { authorizationResponseUri } from '../authorization/response.ts';
import { consentFrame, pageReply } from './frame.ts';
import { consentPageUri, problemPage } from './pages.ts';

const untrustedRequestTexts = {
  unknown_client:
    'The application that sent you here is not known to us (client_id). Go back to it; if it goes on, tell those who run it.',
  unregistered_redirect_uri:
    'The application asked for the answer to go to an address that it has not registered (redirect_uri), so it goes nowhere. Go back to it, and tell those who run it.',
} as const;

/** Sends an error to the application where its redirect URI is trusted, and shows it to the user otherwise. */
export function authorizationErrorReply(error: AuthorizationError, issuer: string): Reply {
  if (error.reportTo === 'application') {
    return redirectReply(authorizationResponseUri(error.redirectUri, error.response, issuer));
  }
  return pageReply(400, problemPage('This request cannot be used', untrustedRequestTexts[error.reason]));
}

/** Redirects to the start of the flow: the session has expired, or the browser does not keep cookies. */
export function sessionExpired(parameters: Parameters): Reply {
  return redirectReply(`${consentPageUri(parameters)}&notice=expired`);
}

export const sessionExpiredNotice =
  'Your sign-in has run out, or this browser did not keep it. Please start again; cookies have to be allowed for this page.';

export function formTokenMismatch(parameters: Parameters): Reply {
  const text = 'This form belongs to another sign-in, perhaps in another tab. Nothing was done.';
  return pageReply(403, problemPage('Nothing was changed', text, parameters));
}

/** The authorization code of the form was used or has expired. */
export function alreadyAnswered(): Reply {
  const text =
    'You have answered this request before. Go back to the application, and start there if you need to.';
  return pageReply(409, problemPage('Already answered', text));
}

export function incompleteForm(parameters: Parameters): Reply {
  const text = 'The form is not complete. Nothing was done.';
  return pageReply(400, problemPage('Nothing was changed', text, parameters));
}

/** Shown only to a user who has proved that they own the mailbox. */
export function noActiveAccount(parameters: Parameters): Reply {
  const text = 'No account can be signed in to with this address. If you have several, try another.';
  return pageReply(403, problemPage('You cannot sign in with this address', text, parameters));
}

/** Renders as a page each error that replaces the handler's own response. */
export function withConsentErrorPages(handler: LambdaHandler): LambdaHandler {
  return withErrorPages(handler, consentFrame, (status, auditId) => {
    const { title, text } = errorInWords(status, auditId);
    return problemPage(title, text);
  });
}

/** @param auditId of the log record, which the page shows for a 5xx. */
function errorInWords(status: number, auditId: string): { title: string; text: string } {
  if (status === 403) {
    return {
      title: 'The form was sent by another site',
      text: 'Nothing was changed. Go back to the application, and start there again.',
    };
  }
  if (status < 500) {
    return {
      title: 'This request is not valid',
      text: 'A part of it is repeated, too long or unreadable. Go back to the application, and start there again.',
    };
  }
  return failureInWords(auditId);
}

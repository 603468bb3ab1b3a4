import type { Requester } from '../../shared/auth/mailbox-store.ts';
import type { Reply } from '../../shared/contract/route.ts';
import type { Page } from '../../shared/html/page.ts';
import type { Parameters } from '../authorization/parameters.ts';
import { pageReply } from './frame.ts';
import { emailPage, type PageContext } from './pages.ts';
import { sessionCookie } from './session.ts';

/** A submitted form of the consent page, with a valid request, session and form token. */
export interface FormSubmission extends PageContext {
  body: Parameters & {
    step?: string | undefined;
    email?: string | undefined;
    code?: string | undefined;
    ticket?: string | undefined;
  };
  /** The session token of the cookie. */
  sessionToken: string;
  /** The client's address, as rate limits count it. */
  rateLimitKey: string;
  /** The client's address block, for which codes and wrong tries are counted. */
  requester: Requester;
  baseUrl: string;
  nowMs: number;
}

/**
 * Shows a page in response to a form. The cookie is renewed, so that the browser keeps it as long as the page
 * is usable.
 */
export function showPage(
  { request, sessionToken, baseUrl }: FormSubmission,
  status: number,
  page: Page,
  retryAfterSeconds?: number,
): Reply {
  return pageReply(status, page, {
    redirectUri: request.redirectUri,
    cookies: [sessionCookie(sessionToken, baseUrl)],
    retryAfterSeconds,
  });
}

/** Shows the address form again, with an error at its field. */
export function invalidEmail(submission: FormSubmission): Reply {
  const error = 'Enter an e-mail address like name@example.com.';
  return showPage(submission, 400, emailPage(submission, { email: submission.body.email ?? '', error }));
}

import type { Reply } from '../../shared/contract/route.ts';
import type { Page } from '../../shared/html/page.ts';
import { quoted } from '../../shared/html/text.ts';
import type { MailContent } from '../../shared/mail/layout.ts';
import type { SignInForm, SignInPages } from '../../shared/sign-in/attempt.ts';
import { codePage } from '../../shared/sign-in/forms.ts';
import { signInMail } from '../../shared/sign-in/mail.ts';
import type { Parameters } from '../authorization/parameters.ts';
import { pageReply } from './frame.ts';
import { consentForm, consentPageUri, emailPage, type PageContext } from './pages.ts';
import { consentCookie } from './session.ts';

/** A submitted form of the consent page, with a valid request, session and form token. */
export interface FormSubmission extends PageContext, SignInForm {
  body: Parameters & SignInForm['body'] & { ticket?: string | undefined };
}

/**
 * Shows a page in response to a form. The cookie is renewed, so that the browser keeps it as long as the page
 * is usable.
 */
function showPage(
  { request, sessionToken, baseUrl }: FormSubmission,
  status: number,
  page: Page,
  retryAfterSeconds?: number,
): Reply {
  return pageReply(status, page, {
    redirectUri: request.redirectUri,
    cookies: [consentCookie.write(sessionToken, baseUrl)],
    retryAfterSeconds,
  });
}

export function signInPages(submission: FormSubmission): SignInPages {
  const { request, parameters } = submission;
  return {
    purpose: 'sign-in',
    email: (state) => emailPage(submission, state),
    code: (state) => codePage(consentForm(submission), consentPageUri(parameters), state),
    mail: (code, lifetimeMinutes) =>
      consentMail({ code, lifetimeMinutes, applicationName: request.application.name }),
    show: (status, page, retryAfterSeconds) => showPage(submission, status, page, retryAfterSeconds),
  };
}

export function consentMail({
  code,
  lifetimeMinutes,
  applicationName,
}: {
  code: string;
  lifetimeMinutes: number;
  applicationName: string;
}): MailContent {
  const application = quoted(applicationName) || 'an application';
  return signInMail(
    { code, lifetimeMinutes },
    {
      purpose: ['to see what ', { strong: application }, ' asks for'],
      consequence: 'Signing in allows nothing yet: the next page asks you.',
    },
  );
}

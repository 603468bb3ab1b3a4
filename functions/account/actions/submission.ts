import type { User } from '../../shared/accounts/users.ts';
import type { Input, Reply } from '../../shared/contract/route.ts';
import { redirectReply } from '../../shared/html/page.ts';
import type { SignInForm, SignInPages } from '../../shared/sign-in/attempt.ts';
import { codePage } from '../../shared/sign-in/forms.ts';
import type { Session } from '../../shared/sign-in/session-store.ts';
import { accountCookie, type Done, doneTag } from '../access/session.ts';
import { accountFrame } from '../pages/frame.ts';
import { accountForm, accountMail, accountUri, emailPage } from '../pages/sign-in-pages.ts';
import type { submitRoute } from '../routes.ts';

export interface Submission extends SignInForm {
  body: Input<typeof submitRoute>['body'];
  formToken: string;
}

export interface SignedInSubmission extends Submission {
  session: Session;
  user: User;
}

/** Redirects to the page, which says what was done: a reload submits nothing again. */
export function doneReply(token: string, done: Done, cookies: readonly string[] = []): Reply {
  return redirectReply(`${accountUri}?done=${encodeURIComponent(doneTag(token, done))}`, cookies);
}

/**
 * The sign-in of the account page. The cookie is renewed with each page, so that the browser keeps it as long as the page is
 * usable.
 */
export function signInPages({ formToken, sessionToken, baseUrl }: Submission): SignInPages {
  return {
    purpose: 'account',
    email: (state) => emailPage(formToken, state),
    code: (state) => codePage(accountForm(formToken), accountUri, state),
    mail: accountMail,
    show: (status, page, retryAfterSeconds) =>
      accountFrame.reply(status, page, {
        cookies: [accountCookie.write(sessionToken, baseUrl)],
        retryAfterSeconds,
      }),
  };
}

import { html } from '../../shared/html/markup.ts';
import type { Page } from '../../shared/html/page.ts';
import type { MailContent } from '../../shared/mail/layout.ts';
import type { EmailState } from '../../shared/sign-in/attempt.ts';
import { alert, emailForm, type Form, formOf, none } from '../../shared/sign-in/forms.ts';
import { signInMail } from '../../shared/sign-in/mail.ts';

/** The page itself, relative to its own address: correct under any path prefix of the API. */
export const accountUri = 'account';

export const accountForm = (formToken: string): Form => formOf(accountUri, [['form', formToken]]);

export function emailPage(formToken: string, { email = '', error, notice, status }: EmailState): Page {
  return {
    title: 'Sign in',
    content: html`${alert(notice)}${status === undefined ? none : html`<p class="done" role="status">${status}</p>`}<h1>Sign in to your account</h1>
<p>See your devices and the applications that can act for you, and remove any of them.</p>
${emailForm(accountForm(formToken), { email, error })}`,
  };
}

export function accountMail(code: string, lifetimeMinutes: number): MailContent {
  return signInMail(
    { code, lifetimeMinutes },
    {
      purpose: 'to see the devices and applications of your account',
      consequence: 'Anyone who signs in can remove them, but cannot add any.',
    },
  );
}

import { scopeDescriptions } from '../../shared/auth/grants/scopes.ts';
import { escaped, html, type Markup } from '../../shared/html/markup.ts';
import type { Page } from '../../shared/html/page.ts';
import type { EmailState } from '../../shared/sign-in/attempt.ts';
import {
  alert,
  button,
  emailForm,
  type Form,
  formOf,
  hidden,
  none,
  safetyNote,
} from '../../shared/sign-in/forms.ts';
import { type Parameters, presentParameters } from '../authorization/parameters.ts';
import type { AuthorizationRequest } from '../authorization/request.ts';

export interface PageContext {
  request: AuthorizationRequest;
  parameters: Parameters;
  formToken: string;
}

/** Relative, like every address of the page. */
const accountLink = html`<a href="../../account">See and withdraw what you allowed</a>`;

export function emailPage(context: PageContext, state: EmailState = {}): Page {
  const { name } = context.request.application;
  const { email = '', error, notice } = state;
  return {
    title: 'Sign in',
    content: html`${alert(notice)}<h1>Sign in to continue</h1>
<p><strong dir="auto">${name}</strong> asks to act for you. Sign in to see what it wants; nothing is allowed yet.</p>
${emailForm(consentForm(context), { email, error })}
<div class="more">${form(context, button('deny', 'Cancel and go back', 'plain'))}</div>`,
    footer: html`${safetyNote}<p>${accountLink}</p>`,
  };
}

/**
 * The page on which a signed-in user allows or denies the request.
 *
 * @param options.ticket identifies the form when the request has no code challenge.
 */
export function consentPage(
  context: PageContext,
  { email, ticket }: { email: string; ticket: string },
): Page {
  const { application, scopes, redirectUri, codeChallenge } = context.request;
  return {
    title: 'Allow access',
    content: html`<h1>Allow <span dir="auto">${application.name}</span> to act for you?</h1>
<div class="who"><span>Signed in as <strong dir="auto">${email}</strong></span>
${form(context, button('switch', 'Switch account', 'plain'))}</div>
<p id="asks">It asks to:</p>
<ul class="scopes" aria-labelledby="asks">${scopes.map((scope) => {
      const { title, meaning, warning } = scopeDescriptions[scope];
      return html`<li><h2>${title}</h2><p>${meaning}</p>${warning === undefined ? none : html`<p class="warning"><strong>Careful:</strong> ${warning}</p>`}</li>`;
    })}</ul>
<p class="note">Either way you go on to <strong dir="ltr">${destination(redirectUri)}</strong>. Allow this only if you know the application and came from it.</p>
${form(
  context,
  html`${codeChallenge === undefined ? hidden('ticket', ticket) : none}<div class="actions">${button('allow', 'Allow')}${button('deny', 'Deny', 'second')}</div>`,
)}`,
    footer: html`<p>The application gets no password. Its access ends when it gives it back, or has not used it for 30 days. ${accountLink}</p>`,
  };
}

/** An error page. Where there is a request, it links to the start of the flow. */
export function problemPage(title: string, text: string, parameters?: Parameters): Page {
  const startAgain =
    parameters && html`<p><a href="${escaped(consentPageUri(parameters))}">Start again</a></p>`;
  return { title, content: html`<h1>${title}</h1><p role="alert">${text}</p>${startAgain ?? none}` };
}

/**
 * The URI of the consent page with the request in its query. It is relative, so that it is correct under any
 * path prefix of the API.
 */
export function consentPageUri(parameters: Parameters): string {
  return `consent?${new URLSearchParams(presentParameters(parameters))}`;
}

/** The host of a web redirect URI, or the scheme of a native application. */
function destination(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return host === '' || !protocol.startsWith('http') ? `an application on this device (${protocol})` : host;
}

/** A form of the page: it carries the request and the anti-forgery token. */
export function consentForm({ formToken, parameters }: Pick<PageContext, 'formToken' | 'parameters'>): Form {
  return formOf('consent', [...presentParameters(parameters), ['form', formToken] as const]);
}

const form = (context: PageContext, content: Markup): Markup => consentForm(context)(content);

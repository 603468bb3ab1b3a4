/** The pages of the consent flow: plain forms without scripts. */

import { codeLifetimeMs } from '../../shared/auth/one-time-codes.ts';
import { escaped, html, type Markup, raw } from '../../shared/html/markup.ts';
import type { Page } from '../../shared/html/page.ts';
import { productName } from '../../shared/html/theme.ts';
import { minuteMs } from '../../shared/runtime/duration.ts';
import { type Parameters, presentParameters } from '../authorization/parameters.ts';
import type { AuthorizationRequest } from '../authorization/request.ts';
import { scopeDescriptions } from '../authorization/scopes.ts';

/** The input of every page of a valid request. */
export interface PageContext {
  request: AuthorizationRequest;
  parameters: Parameters;
  formToken: string;
}

const none = raw('');

/** The first page of the sign-in: the address to mail a code to. */
export function emailPage(
  context: PageContext,
  state: { email?: string; error?: string; notice?: string } = {},
): Page {
  const { name } = context.request.application;
  const { email = '', error, notice } = state;
  return {
    title: 'Sign in',
    content: html`${alert(notice)}<h1>Sign in to continue</h1>
<p><strong dir="auto">${name}</strong> asks to act for you. Sign in to see what it wants; nothing is allowed yet.</p>
${form(
  context,
  html`<label for="email">E-mail address</label>
<input id="email" name="email" type="email" value="${escaped(email)}" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254" required autofocus ${described('email', error, true)}>
${fieldError('email', error)}<p class="hint" id="email-hint">The address of your ${productName} account. A 6-digit code goes there.</p>
<div class="actions">${button('send', 'Send me a code')}</div>`,
)}
<div class="more">${form(context, button('deny', 'Cancel and go back', 'plain'))}</div>`,
  };
}

/** The same page whether the address has an account or not, so that accounts cannot be enumerated. */
export function codePage(
  context: PageContext,
  state: { email: string; error?: string; notice?: string; status?: string },
): Page {
  const { email, error, notice, status } = state;
  const address = hidden('email', email);
  return {
    title: 'Enter your code',
    content: html`${alert(notice)}<h1>Check your mail</h1>
<p ${status === undefined ? none : raw('role="status"')}>${status ?? 'A 6-digit code is on its way to'} <strong dir="auto">${email}</strong>. It works for ${String(codeLifetimeMs / minuteMs)} minutes, once, and only in this browser.</p>
${form(
  context,
  html`${address}<label for="code">6-digit code</label>
<input id="code" name="code" class="code" type="text" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 \\-]*" maxlength="12" spellcheck="false" required autofocus ${described('code', error, false)}>
${fieldError('code', error)}<div class="actions">${button('sign-in', 'Sign in')}</div>`,
)}
<div class="more">${form(context, html`${address}${button('resend', 'Send a new code', 'plain')}`)}
<a href="${escaped(consentPageUri(context.parameters))}">Use another address</a></div>`,
    footer: html`<p>No mail? Look among the spam, and check that this is the address of your account.</p>
<p>${productName} never asks for the code by phone, in a chat or on any other page.</p>`,
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
    footer: html`<p>The application gets no password. Its access ends when it gives it back, or has not used it for 30 days.</p>`,
  };
}

/** An error page. Where there is a request, it links to the start of the flow. */
export function problemPage({
  title,
  text,
  parameters,
}: {
  title: string;
  text: string;
  parameters?: Parameters;
}): Page {
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

/** The action is relative to the page, so that it is correct under any path prefix of the API. */
function form({ formToken, parameters }: PageContext, content: Markup): Markup {
  const fields = [...presentParameters(parameters), ['form', formToken] as const].map(([name, value]) =>
    hidden(name, value),
  );
  return html`<form method="post" action="consent">${fields}${content}</form>`;
}

function hidden(name: string, value: string): Markup {
  return html`<input type="hidden" name="${name}" value="${escaped(value)}">`;
}

function button(step: string, label: string, style = ''): Markup {
  return html`<button type="submit" name="step" value="${step}"${style === '' ? none : html` class="${style}"`}>${label}</button>`;
}

function alert(text: string | undefined): Markup {
  return text === undefined ? none : html`<p class="alert" role="alert">${text}</p>`;
}

function fieldError(field: string, error: string | undefined): Markup {
  return error === undefined ? none : html`<p class="error" id="${field}-error" role="alert">${error}</p>`;
}

function described(field: string, error: string | undefined, hasHint: boolean): Markup {
  const ids = [...(error === undefined ? [] : [`${field}-error`]), ...(hasHint ? [`${field}-hint`] : [])];
  return html`${error === undefined ? none : raw('aria-invalid="true" ')}${ids.length === 0 ? none : html`aria-describedby="${ids.join(' ')}"`}`;
}

/** The pages of the consent, one for each step. All are plain forms. */
import { codeLifetimeMs } from '../shared/auth/one-time-codes.ts';
import { escaped, html, type Markup, raw } from '../shared/html/markup.ts';
import type { Page } from '../shared/html/page.ts';
import { productName } from '../shared/html/theme.ts';
import type { Parameters } from './parameters.ts';
import { type AuthorizationRequest, carried, pageAddress } from './request.ts';
import { scopeWords } from './scopes.ts';

/** What every page of a good request is made from. */
export interface Shown {
  request: AuthorizationRequest;
  parameters: Parameters;
  /** Of {@link formToken}. */
  form: string;
}

const none = raw('');

export function emailPage(
  shown: Shown,
  given: { email?: string; error?: string; notice?: string } = {},
): Page {
  const { name } = shown.request.application;
  const { email = '', error, notice } = given;
  return {
    title: 'Sign in',
    content: html`${alert(notice)}<h1>Sign in to continue</h1>
<p><strong dir="auto">${name}</strong> asks to act for you. Sign in to see what it wants; nothing is allowed yet.</p>
${form(
  shown,
  html`<label for="email">E-mail address</label>
<input id="email" name="email" type="email" value="${escaped(email)}" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254" required autofocus ${described('email', error, true)}>
${fieldError('email', error)}<p class="hint" id="email-hint">The address of your ${productName} account. A 6-digit code goes there.</p>
<div class="actions">${button('send', 'Send me a code')}</div>`,
)}
<div class="more">${form(shown, button('deny', 'Cancel and go back', 'plain'))}</div>`,
  };
}

/** The same whether anybody has the address: who knows one must not learn here whose it is. */
export function codePage(
  shown: Shown,
  given: { email: string; error?: string; notice?: string; status?: string },
): Page {
  const { email, error, notice, status } = given;
  const address = hidden('email', email);
  return {
    title: 'Enter your code',
    content: html`${alert(notice)}<h1>Check your mail</h1>
<p ${status === undefined ? none : raw('role="status"')}>${status ?? 'A 6-digit code is on its way to'} <strong dir="auto">${email}</strong>. It works for ${String(codeLifetimeMs / 60_000)} minutes, once, and only in this browser.</p>
${form(
  shown,
  html`${address}<label for="code">6-digit code</label>
<input id="code" name="code" class="code" type="text" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9 \\-]*" maxlength="12" spellcheck="false" required autofocus ${described('code', error, false)}>
${fieldError('code', error)}<div class="actions">${button('sign-in', 'Sign in')}</div>`,
)}
<div class="more">${form(shown, html`${address}${button('resend', 'Send a new code', 'plain')}`)}
<a href="${escaped(pageAddress(shown.parameters))}">Use another address</a></div>`,
    footer: html`<p>No mail? Look among the spam, and check that this is the address of your account.</p>
<p>${productName} never asks for the code by phone, in a chat or on any other page.</p>`,
  };
}

export function consentPage(shown: Shown, { email, ticket }: { email: string; ticket: string }): Page {
  const { application, scopes, redirectUri, challenge } = shown.request;
  return {
    title: 'Allow access',
    content: html`<h1>Allow <span dir="auto">${application.name}</span> to act for you?</h1>
<div class="who"><span>Signed in as <strong dir="auto">${email}</strong></span>
${form(shown, button('switch', 'Switch account', 'plain'))}</div>
<p id="asks">It asks to:</p>
<ul class="scopes" aria-labelledby="asks">${scopes.map((scope) => {
      const { title, meaning, warning } = scopeWords[scope];
      return html`<li><h2>${title}</h2><p>${meaning}</p>${warning === undefined ? none : html`<p class="warning"><strong>Careful:</strong> ${warning}</p>`}</li>`;
    })}</ul>
<p class="note">Either way you go on to <strong dir="ltr">${destination(redirectUri)}</strong>. Allow this only if you know the application and came from it.</p>
${form(
  shown,
  html`${challenge === undefined ? hidden('ticket', ticket) : none}<div class="actions">${button('allow', 'Allow')}${button('deny', 'Deny', 'second')}</div>`,
)}`,
    footer: html`<p>The application gets no password. Its access ends when it gives it back, or has not used it for 30 days.</p>`,
  };
}

/** A page that leads nowhere but, where there is a request, to its start. */
export function problemPage({
  title,
  text,
  parameters,
}: {
  title: string;
  text: string;
  parameters?: Parameters;
}): Page {
  const again = parameters && html`<p><a href="${escaped(pageAddress(parameters))}">Start again</a></p>`;
  return { title, content: html`<h1>${title}</h1><p role="alert">${text}</p>${again ?? none}` };
}

/** Host of a page, or what a native application is called by. */
function destination(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  return host === '' || !protocol.startsWith('http') ? `an application on this device (${protocol})` : host;
}

/** Relative to the page: whatever prefix the API is deployed under, the form goes to the page's own path. */
function form({ form, parameters }: Shown, content: Markup): Markup {
  const fields = [...carried(parameters), ['form', form] as const].map(([name, value]) =>
    hidden(name, value),
  );
  return html`<form method="post" action="consent">${fields}${content}</form>`;
}

function hidden(name: string, value: string): Markup {
  return html`<input type="hidden" name="${name}" value="${escaped(value)}">`;
}

function button(step: string, label: string, look = ''): Markup {
  return html`<button type="submit" name="step" value="${step}"${look === '' ? none : html` class="${look}"`}>${label}</button>`;
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

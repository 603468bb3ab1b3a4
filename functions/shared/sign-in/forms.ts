/** The address form and the code form, and the parts of which the pages of a sign-in are made. */
import { codeLifetimeMs } from '../auth/codes/one-time-codes.ts';
import { escaped, html, type Markup, raw } from '../html/markup.ts';
import type { Page } from '../html/page.ts';
import { monospace, productName } from '../html/theme.ts';
import { minuteMs } from '../runtime/clock.ts';
import type { CodeState } from './attempt.ts';

export const signInStyles = `
.error{margin:6px 0 0;color:var(--alarm);font-size:14px}
label{display:block;margin:0 0 6px;font-weight:600}
input{width:100%;min-height:48px;padding:10px 14px;border:1px solid var(--muted);border-radius:8px;background:var(--card);color:var(--text);font:inherit}
input[aria-invalid]{border-color:var(--alarm);border-width:2px;padding:9px 13px}
input.code{font-family:${monospace};font-size:26px;letter-spacing:.3em;text-align:center;padding-left:calc(14px + .3em)}
.hint{margin:6px 0 0;color:var(--muted);font-size:14px}
.who{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:4px 16px;margin:0 0 20px;padding:12px 14px;border-radius:8px;background:var(--panel);font-size:14px}
.who button{font-size:14px}
`;

export const none = raw('');

export const safetyNote = html`<p>${productName} never asks for a code by phone, in a chat or on any other page.</p>`;

/** A form of the page. `action` is relative to the page, so that it is correct under any path prefix of the API. */
export type Form = (content: Markup) => Markup;

export function formOf(action: string, fields: readonly (readonly [name: string, value: string])[]): Form {
  const inputs = fields.map(([name, value]) => hidden(name, value));
  return (content) => html`<form method="post" action="${action}">${inputs}${content}</form>`;
}

export function emailForm(
  form: Form,
  { email = '', error }: { email?: string; error?: string | undefined },
): Markup {
  return form(html`<label for="email">E-mail address</label>
<input id="email" name="email" type="email" value="${escaped(email)}" autocomplete="email" autocapitalize="none" spellcheck="false" maxlength="254" required autofocus ${described('email', error, true)}>
${fieldError('email', error)}<p class="hint" id="email-hint">The address of your ${productName} account. We send a 6-digit code to it.</p>
<div class="actions">${button('send', 'Send me a code')}</div>`);
}

/**
 * The page that asks for the code. It is the same whether the address has an account or not, so that accounts cannot be
 * enumerated.
 *
 * @param startUri where another address can be entered.
 */
export function codePage(form: Form, startUri: string, { email, error, notice, status }: CodeState): Page {
  const address = hidden('email', email);
  return {
    title: 'Enter your code',
    content: html`${alert(notice)}<h1>Check your mail</h1>
<p ${status === undefined ? none : raw('role="status"')}>${status ?? 'A 6-digit code is on its way to'} <strong dir="auto">${email}</strong>. It works for ${String(codeLifetimeMs / minuteMs)} minutes, once, and only in this browser.</p>
${form(
  html`${address}<label for="code">6-digit code</label>
<input id="code" name="code" class="code" type="text" inputmode="numeric" autocomplete="one-time-code" spellcheck="false" required autofocus ${described('code', error, false)}>
${fieldError('code', error)}<div class="actions">${button('sign-in', 'Sign in')}</div>`,
)}
<div class="more">${form(html`${address}${button('resend', 'Send a new code', 'plain')}`)}
<a href="${escaped(startUri)}">Use another address</a></div>`,
    footer: html`<p>No mail? Check your spam folder, and check that this is the address of your account.</p>
<p>${productName} never asks for the code by phone, in a chat or on any other page.</p>`,
  };
}

export function hidden(name: string, value: string): Markup {
  return html`<input type="hidden" name="${name}" value="${escaped(value)}">`;
}

/** A button that submits its form as a step. */
export function button(step: string, label: string, style = ''): Markup {
  return html`<button type="submit" name="step" value="${step}"${style === '' ? none : html` class="${style}"`}>${label}</button>`;
}

export function alert(text: string | undefined): Markup {
  return text === undefined ? none : html`<p class="alert" role="alert">${text}</p>`;
}

function fieldError(field: string, error: string | undefined): Markup {
  return error === undefined ? none : html`<p class="error" id="${field}-error" role="alert">${error}</p>`;
}

function described(field: string, error: string | undefined, hasHint: boolean): Markup {
  const ids = [...(error === undefined ? [] : [`${field}-error`]), ...(hasHint ? [`${field}-hint`] : [])];
  return html`${error === undefined ? none : raw('aria-invalid="true" ')}${ids.length === 0 ? none : html`aria-describedby="${ids.join(' ')}"`}`;
}

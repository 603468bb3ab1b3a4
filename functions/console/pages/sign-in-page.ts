import { escaped, html, type Markup } from '../../shared/html/markup.ts';
import type { Page } from '../../shared/html/page.ts';
import { addressesFrom, type ConsolePath } from './visit.ts';

const { href } = addressesFrom('/console/sign-in');

/** The reason to ask: a form came without a session, a key was not valid, or the form of the sign-in is not of this browser. */
export type SignInState = keyof typeof texts | undefined;

/**
 * The form that asks for an operator key. The link is for a person who comes from another site: their session is not sent then,
 * and it is with a link of this page.
 *
 * @param formToken the anti-forgery token.
 */
export function signInPage(formToken: string, next: ConsolePath, state: SignInState): Page {
  return {
    title: 'Sign in to the console',
    content: html`<h1>Sign in to the console</h1>
${alertOf(state)}<form method="post" action="${href('/console/sign-in')}"><input type="hidden" name="form" value="${escaped(formToken)}"><input type="hidden" name="next" value="${escaped(next)}">
<div class="field"><label for="key">Operator key</label><input id="key" name="key" type="password" autocomplete="current-password" autocapitalize="none" spellcheck="false" maxlength="256" required autofocus></div>
<div class="actions"><button type="submit">Sign in</button></div></form>
<p class="more"><a href="${href(next)}">Already signed in? Continue to the console</a></p>`,
  };
}

function alertOf(state: SignInState): Markup | string {
  if (state === undefined) return '';
  return html`<p class="alert" role="alert">${texts[state]}</p>`;
}

const texts = {
  ended: 'Your session has ended. Nothing was changed. Sign in, and try again.',
  unknown:
    'This form is no longer valid, or the browser keeps no cookies. Nobody was signed in. Enter the key again.',
  refused: 'The key is not valid. It may be mistyped, expired or revoked.',
};

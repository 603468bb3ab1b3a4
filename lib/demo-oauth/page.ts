/** The pages of the demo client, which stand for those of an application. */
import { html, type Markup } from '../../functions/shared/html/markup.ts';
import { type Page, pageFrame } from '../../functions/shared/html/page.ts';
import type { Step } from './flow.ts';

export const frame = pageFrame({
  styles: `
ol{margin:0 0 16px;padding:0 0 0 22px}
li{padding:6px 0}
li span{display:block;color:var(--muted);font-size:14px}
.start{display:inline-block;min-height:48px;padding:12px 24px;border-radius:8px;background:var(--accent);color:var(--onAccent);font-weight:600;text-decoration:none}
.start:hover{filter:brightness(.93)}
`,
  footer: html`<p>These pages come from a demo client on this machine. It ends after one authorization.</p>`,
});

/** @param hint what a user of the local stack needs to sign in. */
export function startPage(applicationName: string, scope: string, hint: Markup): Page {
  return {
    title: 'Demo client',
    content: html`<h1>Demo client ${applicationName}</h1>
<p>It asks you for access with the scope ${scope}. It sends you to the consent page, and you come back here.</p>
${hint}
<p><a class="start" href="/start">Connect</a></p>`,
  };
}

/** The credentials of a user of the local stack. */
export function localHint(email: string, mailbox: string): Markup {
  return html`<p>Sign in as ${email}. The code is in the <a href="${mailbox}" target="_blank" rel="noopener">mailbox</a>.</p>`;
}

export const noHint: Markup = html``;

const listed = (steps: readonly Step[]): Markup =>
  html`<ol>
${steps.map(({ title, request, result }) => html`<li>${title}<span>${request}</span><span>${result}</span></li>\n`)}
</ol>`;

export function donePage(steps: readonly Step[]): Page {
  return {
    title: 'Done',
    content: html`<h1>It works</h1>
${listed(steps)}
<p>You can close this page.</p>`,
  };
}

export function failedPage(steps: readonly Step[], reason: string): Page {
  return {
    title: 'Not connected',
    content: html`<h1>The client is not connected</h1>
<p class="alert" role="alert">${reason}</p>
${listed(steps)}
<p>To try again, start the program again.</p>`,
  };
}

/** A callback that this browser did not ask for: someone else's code must not be used. */
export const foreignCallbackPage: Page = {
  title: 'Not connected',
  content: html`<h1>This response is not for you</h1>
<p class="alert" role="alert">Its state matches no request of this browser. The response was ignored.</p>
<p><a href="/">Start again</a></p>`,
};

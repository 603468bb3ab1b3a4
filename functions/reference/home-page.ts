import { html, type Markup } from '../shared/html/markup.ts';
import { pageFrame } from '../shared/html/page.ts';
import { monospace, productName } from '../shared/html/theme.ts';

const styles = `
section{margin:24px 0 0;padding:20px 0 0;border-top:1px solid var(--line)}
h2{margin:0 0 4px}
section p{margin:0 0 12px}
section p:last-child{margin:0}
ul{margin:0 0 12px;padding:0;list-style:none}
li{padding:4px 0}
li a{font-weight:600}
li span{display:block;color:var(--muted);font-size:14px}
code{font-family:${monospace};font-size:14px}
`;

export const homeFrame = pageFrame({
  styles,
  footer: html`<p>This page runs no script, sets no cookie and loads nothing from other sites.</p>`,
});

export interface Places {
  readonly share: string;
  readonly account: string;
  readonly documentation: string;
  readonly guides: string;
  readonly openapi: string;
  readonly authorizationServer: string;
}

/** @param baseUrl of the deployment, without a trailing slash: the links work below a stage too. */
export function places(baseUrl: string): Places {
  return {
    share: `${baseUrl}/s`,
    account: `${baseUrl}/account`,
    documentation: `${baseUrl}/docs`,
    guides: `${baseUrl}/docs/guides`,
    openapi: `${baseUrl}/openapi.json`,
    authorizationServer: `${baseUrl}/.well-known/oauth-authorization-server`,
  };
}

const link = (href: string, name: string, text: string): Markup =>
  html`<li><a href="${href}">${name}</a><span>${text}</span></li>`;

/** The whole page. The same places give the same bytes. */
export function homePage({
  share,
  account,
  documentation,
  guides,
  openapi,
  authorizationServer,
}: Places): string {
  const content = html`<h1>Encrypted sharing, trusted devices and subscriptions</h1>
<p>${productName} works behind other applications. It delivers secrets that only the recipient can read, recognizes your
devices, keeps an encrypted vault up to date on each of them, and manages subscriptions.</p>
<section>
<h2>You received a link or an e-mail</h2>
<p>The sender encrypts a secret before it is stored. The key is only in the link, so the service cannot read the secret. You
need no account to open it. Each e-mail about a subscription links to its billing page, which shows payments and invoices.
You can also cancel there.</p>
<ul>
${[
  link(share, 'Share a secret', 'Text or files, for one recipient or several.'),
  link(account, 'Your account', 'Your devices, and the applications that can act for you.'),
]}
</ul>
</section>
<section>
<h2>You develop an application</h2>
<p>Every feature is available as an HTTP API.</p>
<ul>
${[
  link(documentation, 'API reference', 'Every operation, with its errors and an example.'),
  link(guides, 'Guides', 'Each does one job from the first line to the last, with code that runs.'),
  link(openapi, 'OpenAPI document', 'The same reference, for client generators and other programs.'),
  link(authorizationServer, 'OAuth 2.0 metadata', 'For applications that act for a user.'),
]}
</ul>
</section>
<section>
<h2>You operate this service</h2>
<p>Run <code>npm run operator</code> in the project to manage applications, keys, users and reviews. The folder
<code>docs</code> explains deployment, settings and alarms.</p>
</section>`;
  return homeFrame.render({ title: 'Encrypted sharing, trusted devices and subscriptions', content });
}

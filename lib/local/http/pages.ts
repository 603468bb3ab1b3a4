import { alwaysHeaders } from '../../../functions/shared/contract/headers.ts';
import { styles } from '../mailbox/styles.ts';
import { e, localPage, localPagePolicy } from './local-page.ts';
import { allows, type LocalRoutes, sendJson, sendPage } from './local-response.ts';

const links = [
  ['/s', 'Share page', 'Where people create and open shares.'],
  ['/account', 'Account page', 'Devices and applications of a user. The sign-in code is in the mailbox.'],
  ['/_local/console', 'Console', 'Where operators find, decide and see what waits. One click signs in.'],
  ['/_local/billing', 'Billing page', 'Of the subscription in the demo data.'],
  ['/docs', 'API reference', 'Every operation, with examples that run here.'],
  ['/_local/mailbox', 'Mailbox', 'The mail that the API sent. Nothing leaves this machine.'],
  ['/_local/webhooks', 'Webhooks', 'The events that the API delivered to the demo applications.'],
  ['/_local/demo', 'Demo data', 'Ids, keys and accounts to try the API with, as JSON.'],
  [
    '/_local/clock',
    'Clock',
    'The time here. POST { "advanceSeconds": 3600 } moves it forward, timers included.',
  ],
  ['/_local/health', 'Health', 'Whether the stack can write and read its data, for scripts.'],
  ['/openapi.json', 'OpenAPI document', 'The API for client generators and other tools.'],
] as const;

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Vouchsafe, local</title>
<link rel="icon" href="data:,">
<style>${styles}</style>
<header class="top"><div><h1>Vouchsafe</h1><p>The whole API on this machine: real handlers, a table, a mailbox and timers.</p></div></header>
<main><ul class="mails">
${links
  .map(
    ([href, title, text]) =>
      `<li><a href="${href}"><span class="subject">${title}</span><code class="label">${href}</code><span class="label">${text}</span></a></li>`,
  )
  .join('\n')}
</ul></main>
</html>
`;

/** The form of the console's sign-in, with the operator key of the demo data. */
const consolePage = (operatorKey: string) =>
  localPage(
    'Console',
    `<header class="top"><div><h1>Console</h1><p>The demo data has an operator key with every scope.</p></div></header>
<main><form method="post" action="/console/sign-in"><input type="hidden" name="key" value="${e(operatorKey)}"><button type="submit" autofocus>Sign in as the demo operator</button></form></main>`,
  );

/**
 * - `GET /_local`: a page with links to everything else
 * - `GET /_local/health`: 200 while the stack can write and read its data, 503 with what is wrong
 * - `GET /_local/demo`: demo data to try the API with
 * - `GET /_local/examples`: the ids and keys of the demo data, by what stands for them in the examples of the reference
 * - `GET /_local/billing`: redirects to the billing page of the demo data
 * - `GET /_local/console`: a button that signs in to the console with the operator key of the demo data
 */
export function pageRoutes(options: {
  /** `ok`, or what is wrong. */
  health: () => Promise<string>;
  demo: () => Promise<{ operatorKey: string; subscription: { billingPath: string } }>;
  /** The ids and keys of the demo data, by the texts that stand for them in the examples of the reference. */
  examples: () => Promise<Readonly<Record<string, string>>>;
}): LocalRoutes {
  const pages: Readonly<Record<string, (response: Parameters<LocalRoutes>[1]) => void | Promise<void>>> = {
    '/_local': (response) => sendPage(response, page),
    '/_local/health': async (response) => {
      const status = await options.health();
      sendJson(response, status === 'ok' ? 200 : 503, { status });
    },
    '/_local/demo': async (response) => sendJson(response, 200, await options.demo()),
    '/_local/examples': async (response) => sendJson(response, 200, await options.examples()),
    '/_local/console': async (response) => {
      const { operatorKey } = await options.demo();
      sendPage(response, consolePage(operatorKey), localPagePolicy);
    },
    '/_local/billing': async (response) => {
      const { subscription } = await options.demo();
      response.writeHead(303, { location: subscription.billingPath, ...alwaysHeaders }).end();
    },
  };
  return async (request, response, { pathname }) => {
    const path = pathname === '/_local/' ? '/_local' : pathname;
    const show = Object.hasOwn(pages, path) ? pages[path] : undefined;
    if (show === undefined) return false;
    if (allows(request, response, 'GET')) await show(response);
    return true;
  };
}

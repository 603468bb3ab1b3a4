import { alwaysHeaders } from '../../../functions/shared/contract/headers.ts';
import { localPage, localPagePolicy } from './local-page.ts';
import { allows, type LocalRoutes, sendJson, sendPage } from './local-response.ts';

/** A button that signs in to the console with the operator key of the demo data. */
const consolePage = localPage(
  'Console',
  `<header class="top"><div><h1>Console</h1><p>The demo data has an operator key with every scope.</p></div></header>
<main><form method="post" action="/_local"><button name="action" value="console" autofocus>Sign in as the demo operator</button></form></main>`,
);

/**
 * - `GET /_local/health`: 200 while the stack can write and read its data, 503 with what is wrong
 * - `GET /_local/demo`: demo data to try the API with
 * - `GET /_local/examples`: the ids and keys of the demo data, by what stands for them in the examples of the reference
 * - `GET /_local/billing`: redirects to the billing page of the demo data
 * - `GET /_local/console`: a button that signs in to the console with the operator key of the demo data
 */
export function pageRoutes(options: {
  /** `ok`, or what is wrong. */
  health: () => Promise<string>;
  demo: () => Promise<{ subscription: { billingPath: string } }>;
  /** The ids and keys of the demo data, by the texts that stand for them in the examples of the reference. */
  examples: () => Promise<Readonly<Record<string, string>>>;
}): LocalRoutes {
  const pages: Readonly<Record<string, (response: Parameters<LocalRoutes>[1]) => void | Promise<void>>> = {
    '/_local/health': async (response) => {
      const status = await options.health();
      sendJson(response, status === 'ok' ? 200 : 503, { status });
    },
    '/_local/demo': async (response) => sendJson(response, 200, await options.demo()),
    '/_local/examples': async (response) => sendJson(response, 200, await options.examples()),
    '/_local/console': (response) => sendPage(response, consolePage, localPagePolicy),
    '/_local/billing': async (response) => {
      const { subscription } = await options.demo();
      response.writeHead(303, { location: subscription.billingPath, ...alwaysHeaders }).end();
    },
  };
  return async (request, response, { pathname }) => {
    const show = Object.hasOwn(pages, pathname) ? pages[pathname] : undefined;
    if (show === undefined) return false;
    if (allows(request, response, 'GET', 'HEAD')) await show(response);
    return true;
  };
}

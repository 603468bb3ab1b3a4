/** Who may see each page of the console and send each form. A table of every route that needs a session, by its scope. */
import { registeredRoutes } from '../../../../functions/routes.ts';
import {
  type OperatorScope,
  operatorScopeNames,
} from '../../../../functions/shared/contract/operator-scopes.ts';
import { type Call, newTenant, registered } from '../../../support/call.ts';
import { formTokenIn, signedIn } from '../../../support/samples/console.ts';
import { browse } from '../../../support/samples/forms.ts';
import { samples } from '../../../support/samples/requests.ts';

const scopes: Readonly<Record<string, OperatorScope>> = {
  'console.audit': 'admin',
  'console.client-show': 'finance',
  'console.customer-document': 'finance',
  'console.customer-list': 'finance',
  'console.customer-show': 'finance',
  'console.review-next': 'review',
  'console.review-queue': 'review',
  'console.review-show': 'review',
  'console.review-submit': 'review',
  'console-developers.list': 'support',
  'console-developers.show': 'support',
  'console-developers.webhook-show': 'support',
  'console-money.home': 'finance',
  'console-money.show': 'finance',
  'console-money.statement-action': 'finance',
  'console-money.statement-list': 'finance',
  'console-money.statement-show': 'finance',
  'console-money.statement-upload': 'finance',
  'console-operations.applications': 'admin',
  'console-operations.operator': 'support',
  'console-operations.payments': 'finance',
  'console-operations.plans': 'admin',
  'console-operations.clients': 'finance',
  'console-operations.portal': 'finance',
  'console-operations.subscriptions': 'finance',
  'console-operations.users': 'support',
  'console-operations.webhooks': 'support',
};
/** Every operator sees these. */
const ofAll = [
  'console.home',
  'console-operations.list',
  'console.search',
  'console.sign-in-show',
  'console.sign-in-submit',
  'console.sign-out',
];

test('every route of the console is tested', () => {
  const routes = registeredRoutes().filter(({ service }) => service.startsWith('console'));
  expect([...Object.keys(scopes), ...ofAll].sort()).toEqual(routes.map(({ id }) => id).sort());
});

/** The request with the form token of a session in place of its own. */
async function withToken(request: Call, headers: { cookie: string }): Promise<Call> {
  const token = formTokenIn((await browse('console.home', { headers })).text);
  const own = formTokenOf(request);
  const body =
    request.body instanceof Uint8Array
      ? Buffer.from(Buffer.from(request.body).toString('latin1').replace(own, token), 'latin1')
      : String(request.body).replace(encodeURIComponent(own), encodeURIComponent(token));
  return { ...request, body };
}

const formTokenOf = ({ body }: Call): string => {
  const text = body instanceof Uint8Array ? Buffer.from(body).toString('latin1') : String(body);
  const [, quoted, plain] = /name="form"\r\n\r\n([\w-]{43})|(?:^|&)form=([\w-]{43})/.exec(text) ?? [];
  return quoted ?? plain ?? '';
};

const accept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';

describe.each(Object.entries(scopes))('%s', (id, scope) => {
  const { method, path } = registered(id).route;
  const ask = (request: Call, headers: Record<string, string>) =>
    browse(id, { ...request, headers: { ...request.headers, accept, ...headers } });

  test('is for the scope, the session and the application that it names, and does nothing for others', async () => {
    const request = (await samples[id]?.()) ?? {};
    const stranger = await ask(request, { cookie: '' });
    expect([stranger.status, stranger.headers.location]).toEqual([
      303,
      expect.stringMatching(
        method === 'GET' ? /console\/sign-in\?next=/ : /console\/sign-in\?next=.*&notice=ended$/,
      ),
    ]);
    const others = operatorScopeNames.filter((one) => one !== scope && one !== 'admin');
    const powerless = await signedIn(...others);
    const refused = await ask(method === 'GET' ? request : await withToken(request, powerless), powerless);
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining(`Your operator key needs the scope ${scope}.`),
    ]);
    const other = await signedIn('admin');
    if (method !== 'GET') {
      expect((await ask(request, other)).status).toBe(403);
      expect((await ask(request, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    }
    if (path.includes('{applicationId}')) {
      const { applicationId } = await newTenant();
      const own = method === 'GET' ? request : await withToken(request, other);
      const ids = Object.keys(request.params ?? {}).filter((name) => name !== 'applicationId');
      // A page about the application itself is that of the other one.
      const statuses = ids.length > 0 ? [404] : [200, 303, 404, 409, 422];
      const foreign = await ask({ ...own, params: { ...request.params, applicationId } }, other);
      expect(statuses).toContain(foreign.status);
      const absent = await ask({ ...own, params: { ...request.params, applicationId: 'app_none' } }, other);
      expect(absent.status).toBe(404);
    }
    expect([200, 303]).toContain((await ask(request, {})).status);
  });
});

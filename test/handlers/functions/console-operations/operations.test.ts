import { keyIdOf } from '../../../../functions/console/session/session.ts';
import { commands } from '../../../../functions/console-operations/contracts/commands.ts';
import { type Registered, registeredRoutes } from '../../../../functions/routes.ts';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import type { OperatorScope } from '../../../../functions/shared/contract/operator-scopes.ts';
import { statesReason } from '../../../../functions/shared/contract/route.ts';
import { operationIdOf } from '../../../../lib/openapi/operation-id.ts';
import { commandOf, requestOf, requestVerbs } from '../../../../lib/operator/requests.ts';
import { bearer, type Call, call, good, newSecret, registered } from '../../../support/call.ts';
import { signedIn } from '../../../support/samples/console.ts';
import {
  fieldsOfRequest,
  formRequest,
  recordForm,
  sendForm,
} from '../../../support/samples/console-operations.ts';
import { browse } from '../../../support/samples/forms.ts';
import { asOperator } from '../../../support/samples/operator.ts';
import { samples } from '../../../support/samples/requests.ts';

/** Commands with pages of their own: a queue with keys, and files with their entries. */
const withPages = ['links.review-decide', 'statements.create', 'statements.confirm'];

const ids = commands.map(({ service, name }) => `${service}.${name}`);
/** The fields of a request in which that of a form differs from the sample. */
const more: Readonly<Record<string, object>> = {
  'plans.update': { name: 'Pro Plus' },
  // Nobody leaves open whether it can be undone.
  'subscriptions.cancel': { atPeriodEnd: false },
  // An operator says for which kind of key a webhook is.
  'webhooks.webhook-create': { types: ['subscription.*'] },
  'webhooks.webhook-update': { types: ['subscription.*'] },
};
const sample = async (id: string): Promise<Call> => {
  const request = (await samples[id]?.()) ?? {};
  const { body } = request;
  return Object.assign({}, request, more[id] && { body: Object.assign({}, body, more[id]) });
};
const serviceOf = (id: string) => id.slice(0, id.indexOf('.'));

const send = async (id: string, headers: { cookie: string }, fields: Record<string, string> = {}) =>
  browse(`console-operations.${serviceOf(id)}`, await formRequest(id, await sample(id), headers, fields));

const actionsWith = async (keyId: string) =>
  good(await call('operator.action-list', await asOperator({ query: { keyId } }))).actions;

const actionsOf = ({ cookie }: { cookie: string }) =>
  actionsWith(keyIdOf(cookie.slice(cookie.indexOf('key_'))));

interface ActionRecord {
  readonly action: string;
  readonly reason?: string;
  readonly object: { readonly kind: string };
  readonly before?: object;
}

/** The parts of a record about the action, but for the object and the values that differ by the sample. */
const told = ({ action, reason, object: { kind }, before = {} }: ActionRecord) =>
  [action, reason, kind, ...Object.keys(before).sort()].join(' | ');

const reason = 'Für März, sagen 50 % am Telefon.';

const isCommand = ({ route: { method, operatorScope } }: Registered) =>
  method !== 'GET' && operatorScope !== undefined;

describe('the form of an operation', () => {
  test('is there for every operation that an operator key may call and that changes something', () => {
    const expected = registeredRoutes()
      .filter(isCommand)
      .map(({ id }) => id)
      .filter((id) => !withPages.includes(id));
    expect([...ids].sort()).toEqual(expected.sort());
  });

  test.each(ids)('%s: has each field of the request, and its question if it has one', async (id) => {
    const request = await sample(id);
    const { status, text } = await browse('console-operations.list', {
      headers: await signedIn(),
      query: { service: serviceOf(id), operation: id.slice(id.indexOf('.') + 1) },
    });
    expect(status).toBe(200);
    const { words } = registered(id).route;
    // A form that first shows what it changes asks for the reason then.
    const later = words?.preview === undefined ? ['step'] : ['step', 'reason'];
    for (const name of Object.keys(await fieldsOfRequest(id, request)))
      if (!later.includes(name)) expect(text).toContain(`name="${name}"`);
    if (words?.question !== undefined) expect(text).toContain(`<p class="note">${words.question}</p>`);
  });

  test.each(ids)(
    '%s: does what the request does, and leaves its record, with the same reason',
    async (id) => {
      const { route } = registered(id);
      const isInBody = statesReason(route);
      const { secret, keyId } = await newSecret('operator_key');
      const request = await sample(id);
      const { applicationId } = await fieldsOfRequest(id, request);
      const headers = {
        ...request.headers,
        ...bearer(secret),
        ...defined({
          'x-application-id': applicationId,
          'x-reason': isInBody ? undefined : encodeURIComponent(reason),
        }),
      };
      const body = isInBody ? Object.assign({}, request.body, { reason }) : request.body;
      expect((await call(id, { ...request, headers, body })).status).toBeLessThan(300);

      const session = await signedIn();
      const { status, text, headers: answered } = await send(id, session, { reason, 'body.reason': reason });
      const notice = route.words?.notice;
      expect([status, text.match(/role="alert">([^<]*)/)?.[1]]).toEqual(
        notice === undefined ? [200, expect.stringContaining('cannot be shown again')] : [303, undefined],
      );
      if (notice !== undefined) expect(answered.location).toMatch(/notice=.{30}/);
      const [byRequest, byForm] = await Promise.all([actionsWith(keyId), actionsOf(session)]);
      // The number of mails that wait differs.
      expect(new Set(byForm.map(told))).toEqual(new Set(byRequest.map(told)));
      expect(new Set(byForm.map((record: ActionRecord) => record.reason))).toEqual(new Set([reason]));
    },
  );

  test('has its reason in the command line too', () => {
    const lacking = registeredRoutes().filter((one) => {
      const verb = requestVerbs.find(({ operation }) => operation === operationIdOf(one));
      const isOption = Object.values(verb?.options ?? {}).some(({ field }) => field === 'reason');
      const request =
        verb?.operation && requestOf(commandOf(verb.operation), { applicationId: 'app_1', reason });
      return isCommand(one) && !(isOption && [request?.input.reason, request?.reason].includes(reason));
    });
    expect(lacking.map(({ id }) => id)).toEqual([]);
  });

  test.each(ids)('%s: needs the scope of the request', async (id) => {
    const { operatorScope = 'admin' } = registered(id).route;
    const other: OperatorScope = operatorScope === 'review' ? 'support' : 'review';
    const headers = await signedIn(other);
    const { status, text } = await send(id, headers);
    expect([status, text.includes(`Missing scope: ${operatorScope}`)]).toEqual([403, true]);
    expect(await actionsOf(headers)).toEqual([]);
  });

  test.each(ids)('%s: needs a reason', async (id) => {
    const headers = await signedIn();
    const { status, text } = await send(id, headers, { reason: '', 'body.reason': '' });
    expect([status, /class="error"[^>]*>([^<]*)/.exec(text)?.[1]]).toEqual([422, 'is required']);
    expect(await actionsOf(headers)).toEqual([]);
  });

  test('is the same form after a refusal: it corrects the entry, keeps the title, and does its work once', async () => {
    const headers = await signedIn();
    const fields = {
      once: 'form-1',
      title: 'Cancel immediately',
      fixed: 'body.atPeriodEnd path.id applicationId',
    };
    const { status, text } = await send(
      'subscriptions.cancel',
      headers,
      Object.assign({ 'body.reason': '' }, fields),
    );
    expect([status, /<h1>([^<]*)/.exec(text)?.[1]]).toEqual([422, 'Cancel immediately']);
    for (const [name, value] of [
      ['once', 'form-1'],
      ['body.atPeriodEnd', 'no'],
    ])
      expect(text).toContain(`<input type="hidden" name="${name}" value="${value}">`);
  });

  test('of another invoice than the suggested one keeps the one that a person entered', async () => {
    const headers = await signedIn();
    const other = {
      'body.invoiceId': 'inv_1',
      'body.invoiceId.other': 'inv_mistyped',
      'body.subscriptionId': '',
    };
    const { status, text } = await send('payments.apply', headers, other);
    expect(status).toBe(404);
    expect(text).toMatch(/name="body.invoiceId" type="text" value="inv_mistyped"/);
  });

  test.each([
    ['body.endDate', '2026-13-45T99:99'],
    ['body.autoRenew', 'perhaps'],
    ['body.revision', 'x'],
  ])('with %s %s is refused at its field', async (name, value) => {
    const headers = await signedIn();
    const { status, text } = await send('subscriptions.update', headers, {
      'body.autoRenew': '',
      [name]: value,
    });
    expect(status).toBe(422);
    expect(text).toContain(`name="${name}"`);
    expect(await actionsOf(headers)).toEqual([]);
  });

  test('of a plan has its values, keeps line ends, and takes away a list that is emptied', async () => {
    const headers = await signedIn();
    const { params = {} } = await sample('plans.update');
    const change = { description: 'One.\nTwo.', features: ['A', 'B'], trialPeriodDays: 14 };
    const { plan } = good(await call('plans.update', await asOperator({ params, body: change })));
    const ids = { 'path.id': params.id ?? '', 'path.planId': params.planId ?? '' };
    const { fields, text } = await recordForm('plans.update', headers, ids);
    expect(text).toMatch(/<textarea[^>]*name="body.description"/);
    expect(text).toMatch(/name="body.name"[^>]* maxlength="100"/);
    const reason = 'They asked for it.';
    const sent = { ...fields, 'body.description': 'One.\r\nTwo.', 'body.features': '', reason };
    expect((await sendForm('plans.update', headers, sent)).status).toBe(303);
    const read = good(await call('plans.read', await asOperator({ params })));
    expect(read.plan).toEqual({ ...plan, features: [], revision: plan.revision + 1 });
    const late = await sendForm('plans.update', headers, { ...sent, once: 'another', 'body.name': 'Late' });
    expect([late.status, late.text.includes('The record has changed')]).toEqual([409, true]);
    const emptied = await recordForm('plans.update', headers, ids);
    const refused = await sendForm('plans.update', headers, { ...emptied.fields, 'body.price': '', reason });
    expect([refused.status, refused.text.includes('body.price-error')]).toEqual([422, true]);
  });

  test('does not leave open whether a cancellation can be undone', async () => {
    const headers = await signedIn();
    const { status, text } = await send('subscriptions.cancel', headers, { 'body.atPeriodEnd': '' });
    expect([status, text.includes('is required')]).toEqual([422, true]);
    expect(await actionsOf(headers)).toEqual([]);
  });
});

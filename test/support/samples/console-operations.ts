import { actsFor } from '../../../functions/console/contracts/command.ts';
import { fieldsOf } from '../../../functions/console/operations/fields.ts';
import { valuesOf } from '../../../functions/console/operations/values.ts';
import { findSecret } from '../../../functions/shared/auth/secrets.ts';
import { statesReason } from '../../../functions/shared/contract/route.ts';
import { randomToken } from '../../../functions/shared/runtime/random.ts';
import { type Call, registered } from '../call.ts';
import { actionRequest, signedIn } from './console.ts';
import { financeSamples } from './finance.ts';
import { browse, fieldsOfForm, form, formsOf, formType, type PageResponse } from './forms.ts';
import { operatorSamples } from './operator.ts';
import { subscriptionSamples } from './subscriptions.ts';
import { endpointSamples } from './webhooks.ts';

/** The application of the key of a request. */
async function applicationOf({ headers = {} }: Call): Promise<string> {
  const [, token = ''] = /^Bearer (\S+)$/.exec(headers.authorization ?? headers.Authorization ?? '') ?? [];
  const kind = token.startsWith('vak_') ? 'api_key' : 'client_secret';
  return (await findSecret(kind, token, Date.now()))?.applicationId ?? headers['x-application-id'] ?? '';
}

/** The fields of the form of an operation that does what a request of it does. */
export async function fieldsOfRequest(id: string, request: Call): Promise<Record<string, string>> {
  const { name, route } = registered(id);
  return Object.assign(
    // As the page of a record does, which fills in its ids.
    {
      operation: name,
      once: randomToken(),
      // As the page does that has shown what the form changes.
      step: route.words?.preview === undefined ? '' : 'confirm',
      fixed: Object.keys(request.params ?? {})
        .map((one) => `path.${one}`)
        .join(' '),
    },
    statesReason(route) ? { 'body.reason': 'They asked for it.' } : { reason: 'They asked for it.' },
    valuesOf(fieldsOf(route.params, 'path'), request.params),
    valuesOf(fieldsOf(route.body, 'body'), request.body),
    actsFor(route) ? { applicationId: await applicationOf(request) } : {},
  );
}

/** The request of the form of an operation. */
export async function formRequest(
  id: string,
  request: Call,
  headers?: { cookie: string },
  more: Record<string, string> = {},
): Promise<Call> {
  const fields = Object.assign(await fieldsOfRequest(id, request), more);
  return actionRequest(headers ?? (await signedIn()), fields);
}

/**
 * The form of an operation on the page of a record, as a person fills it in and sends it.
 *
 * @param ids that the address of the page has.
 */
export async function recordForm(
  id: string,
  headers: { cookie: string },
  ids: Record<string, string>,
): Promise<{ fields: Record<string, string>; text: string }> {
  const [service = '', operation = ''] = id.split('.');
  const query = { service, operation, ...ids };
  const { text } = await browse('console-operations.list', { headers, query });
  return { text, fields: operationFields(text, operation) };
}

/** The fields of the form of an operation of a page. */
export const operationFields = (text: string, operation: string): Record<string, string> =>
  fieldsOfForm(formsOf(text).find((one) => one.includes(`name="operation" value="${operation}"`)) ?? '');

/** Sends such a form. */
export const sendForm = (
  id: string,
  headers: { cookie: string },
  fields: Record<string, string>,
): Promise<PageResponse> =>
  browse(`console-operations.${id.split('.')[0]}`, {
    headers: { accept: 'text/html', ...formType, ...headers },
    body: form(fields),
  });

type Samples = Readonly<Record<string, () => Call | Promise<Call>>>;

const formOf = (id: string, samples: Samples) => async () => formRequest(id, (await samples[id]?.()) ?? {});

export const operationFormSamples: Readonly<Record<string, () => Promise<Call>>> = {
  'console-operations.list': async () => ({ headers: await signedIn() }),
  'console-operations.applications': formOf('applications.key-revoke', operatorSamples),
  'console-operations.clients': formOf('clients.upsert', subscriptionSamples),
  'console-operations.plans': formOf('plans.update', operatorSamples),
  'console-operations.users': formOf('users.grant-revoke', operatorSamples),
  'console-operations.subscriptions': formOf('subscriptions.update', subscriptionSamples),
  'console-operations.payments': formOf('payments.apply', financeSamples),
  'console-operations.portal': formOf('portal.link-mail', subscriptionSamples),
  'console-operations.webhooks': formOf('webhooks.webhook-test', endpointSamples),
  'console-operations.operator': formOf('operator.mail-redrive', operatorSamples),
};

import { actsFor } from '../../../functions/console/contracts/command.ts';
import { fieldsOf, sentOf } from '../../../functions/console/operations/fields.ts';
import { statesReason } from '../../../functions/console/operations/form.ts';
import { findSecret } from '../../../functions/shared/auth/secrets.ts';
import { randomToken } from '../../../functions/shared/runtime/random.ts';
import { type Call, registered } from '../call.ts';
import { actionRequest, signedIn } from './console.ts';
import { financeSamples } from './finance.ts';
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
    { operation: name, once: randomToken() },
    statesReason(route) ? { 'body.reason': 'They asked for it.' } : { reason: 'They asked for it.' },
    sentOf(fieldsOf(route.params, 'path'), request.params),
    sentOf(fieldsOf(route.body, 'body'), request.body),
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

type Samples = Readonly<Record<string, () => Call | Promise<Call>>>;

const formOf = (id: string, samples: Samples) => async () => formRequest(id, (await samples[id]?.()) ?? {});

export const operationFormSamples: Readonly<Record<string, () => Promise<Call>>> = {
  'console-operations.list': async () => ({ headers: await signedIn() }),
  'console-operations.applications': formOf('applications.key-revoke', operatorSamples),
  'console-operations.plans': formOf('plans.update', operatorSamples),
  'console-operations.users': formOf('users.grant-revoke', operatorSamples),
  'console-operations.subscriptions': formOf('subscriptions.update', subscriptionSamples),
  'console-operations.payments': formOf('payments.apply', financeSamples),
  'console-operations.portal': formOf('portal.link-mail', subscriptionSamples),
  'console-operations.webhooks': formOf('webhooks.webhook-test', endpointSamples),
  'console-operations.operator': formOf('operator.mail-redrive', operatorSamples),
};

import { actsFor } from '../../../functions/console/contracts/command.ts';
import { type FormField, fieldsOf } from '../../../functions/console/operations/fields.ts';
import { statesReason } from '../../../functions/console/operations/form.ts';
import { findSecret } from '../../../functions/shared/auth/secrets.ts';
import { isObject } from '../../../functions/shared/contract/merge-patch.ts';
import { randomToken } from '../../../functions/shared/runtime/random.ts';
import { type Call, registered } from '../call.ts';
import { actionRequest, signedIn } from './console.ts';
import { financeSamples } from './finance.ts';
import { operatorSamples } from './operator.ts';
import { subscriptionSamples } from './subscriptions.ts';
import { endpointSamples } from './webhooks.ts';

/** The values of a form that shows a record: those of the fields that it has. @param prefix of the fields. */
function sentOf(fields: readonly FormField[], record: unknown): Record<string, string> {
  if (!isObject(record)) return {};
  return Object.assign({}, ...fields.map((field) => shownValue(field, record[lastOf(field.name)])));
}

const lastOf = (name: string) => name.slice(name.lastIndexOf('.') + 1);

function shownValue(field: FormField, value: unknown): Record<string, string> {
  const { name, kind } = field;
  if (value === undefined || value === null) return {};
  switch (kind) {
    case 'group':
      return sentOf(field.fields, value);
    case 'rows':
      return Array.isArray(value)
        ? Object.assign({}, ...value.map((one, n) => sentOf(field.row(n), one)))
        : {};
    case 'choices':
      return Object.fromEntries(
        field.choices
          .filter((choice) => Array.isArray(value) && value.includes(choice))
          .map((choice) => [`${name}.${choice}`, 'on']),
      );
    case 'lines':
      return { [name]: Array.isArray(value) ? value.join('\n') : String(value) };
    case 'flag':
      return { [name]: value === true ? 'yes' : 'no' };
    case 'time':
      return {
        [name]: String(value)
          .replace(/(:\d\d)(\.\d+)?Z$/, '$1')
          .slice(0, 19),
      };
    case 'json':
      return { [name]: JSON.stringify(value) };
    default:
      return { [name]: String(value) };
  }
}

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
      unseen: Object.keys(request.params ?? {})
        .map((one) => `path.${one}`)
        .join(' '),
    },
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

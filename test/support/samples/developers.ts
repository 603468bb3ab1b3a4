import { getApplication } from '../../../functions/shared/accounts/applications.ts';
import type { Call, Tenant } from '../call.ts';
import { signedIn } from './console.ts';
import { failedDelivery } from './deliveries.ts';
import { browse, form, formsOf, formType, hiddenFieldsOf, type PageResponse } from './forms.ts';

type Headers = { cookie: string };

/** A page of developers, by the ids of its path. */
type Place = { applicationId: string; webhookId?: string };

const isOfWebhook = ({ webhookId }: Place) => webhookId !== undefined;

/** Opens the page of an application, or of a webhook. */
export const openDeveloper = (headers: Headers, params: Place, query = {}): Promise<PageResponse> =>
  browse(isOfWebhook(params) ? 'console-developers.webhook-show' : 'console-developers.show', {
    headers: Object.assign({ accept: 'text/html' }, headers),
    params,
    query,
  });

/** The hidden fields of the forms of a page, by what each of them has. */
export const formsIn = (text: string): Record<string, string>[] => formsOf(text).map(hiddenFieldsOf);

/** The request of a form of such a page, filled in. @param wanted of its hidden fields. */
export async function developerForm(
  headers: Headers,
  params: Place,
  wanted: Record<string, string>,
  filled: Record<string, string> = {},
): Promise<Call> {
  const { text } = await openDeveloper(headers, params);
  const forms = formsIn(text);
  const found = forms.find((fields) =>
    Object.entries(wanted).every(
      ([name, value]) => (fields[name] ?? value) === value && fields.operation === wanted.operation,
    ),
  );
  const { form: token = '' } = forms[0] ?? {};
  const fields = { form: token, ...found, ...wanted, reason: 'The developer asked for it.', ...filled };
  return {
    params,
    body: form(fields),
    headers: { ...formType, ...headers },
  };
}

/** The route to which a form is sent. */
function routeOf({ body }: Call): string {
  const [, operation = ''] = /(?:^|&)operation=([a-z-]+)/.exec(String(body)) ?? [];
  return `console-operations.${operation.startsWith('key-') ? 'applications' : 'webhooks'}`;
}

export const sendDeveloper = (request: Call): Promise<PageResponse> =>
  browse(
    routeOf(request),
    Object.assign({}, request, { headers: { accept: 'text/html', ...request.headers } }),
  );

/** The id of the key of a kind of an application. */
export async function keyIdOf(
  { applicationId }: Pick<Tenant, 'applicationId'>,
  kind: 'api_key' | 'client_secret' = 'api_key',
): Promise<string> {
  const application = await getApplication(applicationId);
  return Object.entries(application?.keys ?? {}).find(([, key]) => key.kind === kind)?.[0] ?? '';
}

async function newPlace(): Promise<{ applicationId: string; webhookId: string }> {
  const { owner, webhookId } = await failedDelivery();
  return { applicationId: owner.applicationId, webhookId };
}

export const developerSamples: Record<string, () => Promise<Call>> = {
  'console-developers.list': async () => ({ headers: await signedIn('support') }),
  'console-developers.show': async () => ({
    headers: await signedIn('support'),
    params: { applicationId: (await newPlace()).applicationId },
  }),
  'console-developers.webhook-show': async () => ({
    headers: await signedIn('support'),
    params: await newPlace(),
  }),
};

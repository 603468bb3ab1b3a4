import { randomUUID } from 'node:crypto';
import { consoleCookie } from '../../../functions/console/session/session.ts';
import { consoleSessions } from '../../../functions/console/session/session-store.ts';
import { operatorKeyItems } from '../../../functions/shared/contract/operator-key.ts';
import type { OperatorScope } from '../../../functions/shared/contract/operator-scopes.ts';
import { formatSecret } from '../../../functions/shared/contract/secret.ts';
import { newId } from '../../../functions/shared/runtime/ids.ts';
import { randomToken } from '../../../functions/shared/runtime/random.ts';
import { formTokenOf } from '../../../functions/shared/sign-in/session.ts';
import { type Call, call, good, newSeller, putItem } from '../call.ts';
import { camt, entryXml } from '../statements/bank-files.ts';
import { sendFile } from '../statements/statement-stage.ts';
import { deployedFiles } from './deployed-files.ts';
import { waitingPayment } from './finance.ts';
import { browse, form, formType, multipart, type PageResponse, sentBack } from './forms.ts';
import { newParties, submittedId } from './links.ts';
import { issuer } from './oauth.ts';
import { asOperator } from './operator.ts';

/** An operator key as the route makes it. It can do everything unless scopes are given. */
export async function newConsoleKey(
  scopes: readonly OperatorScope[] = ['admin'],
  { name = 'Olga Operator', lifetimeMs }: { name?: string; lifetimeMs?: number } = {},
): Promise<{ keyId: string; secret: string }> {
  // The pages of a session have the script that is deployed with them.
  deployedFiles();
  const createdAtMs = Date.now();
  const keyId = newId('key', createdAtMs);
  const secret = formatSecret('operator_key', randomToken());
  const ends = lifetimeMs === undefined ? {} : { expiresAtMs: createdAtMs + lifetimeMs };
  const by = { keyId: `key-${randomUUID()}`, name: 'Test', from: 'Unknown' };
  const items = operatorKeyItems({ keyId, name, scopes, createdAtMs, ...ends }, secret, by);
  for (const item of items) await putItem(item);
  return { keyId, secret };
}

/** The cookie of a response, as the browser sends it. */
export const cookieOf = ({ cookies }: PageResponse): string => sentBack(cookies[0]);

const signInToken = 'A'.repeat(22);

/** The request of the form of the sign-in. @param headers more of them. */
export function signInRequest(fields: Record<string, string>, headers: Record<string, string> = {}): Call {
  const cookies = [`__Host-vouchsafe-console-sign-in=${signInToken}`, headers.cookie];
  const cookie = cookies.filter((one) => one !== undefined).join('; ');
  return {
    body: form({ form: formTokenOf(signInToken), ...fields }),
    headers: { ...formType, ...headers, cookie },
  };
}

/** Sends the form of the sign-in. */
export function signIn(fields: Record<string, string>, more: Partial<Call> = {}): Promise<PageResponse> {
  return browse('console.sign-in-submit', { ...more, ...signInRequest(fields, more.headers) });
}

/** The headers of a browser that is signed in with a new key. No request: most tests of pages need a session. */
export async function signedIn(...scopes: OperatorScope[]): Promise<{ cookie: string }> {
  const { secret } = await newConsoleKey(scopes.length === 0 ? ['admin'] : scopes);
  const token = (await consoleSessions.start(secret, Date.now())) ?? '';
  return { cookie: sentBack(consoleCookie.write(token, issuer)) };
}

/** The anti-forgery token of a page. */
export const formTokenIn = (text: string): string => /name="form" value="([^"]+)"/.exec(text)?.[1] ?? '';

/** The request of a form of a browser that is signed in. */
export async function actionRequest(
  headers: { cookie: string },
  fields: Record<string, string> = {},
): Promise<Call> {
  const { text } = await browse('console.home', { headers });
  return { body: form({ form: formTokenIn(text), ...fields }), headers: { ...formType, ...headers } };
}

/** A reviewer who is signed in, and a link that waits. */
const review = async (fields?: Record<string, string>): Promise<Call> => {
  const [headers, linkId] = await Promise.all([signedIn('review'), submittedId(await newParties())]);
  const request = fields === undefined ? { headers } : await actionRequest(headers, fields);
  return { ...request, params: { linkId } };
};

/** A person who is signed in, and a statement with one credit. */
async function withStatement() {
  const seller = await newSeller();
  const { body } = await sendFile(seller, camt([entryXml({ bankId: 'A-1' })]));
  return {
    headers: await signedIn(),
    applicationId: seller.applicationId,
    statementId: String(body.statement._id),
  };
}

/** The request of a form with files or with fields of any name, of a browser that is signed in. */
export async function multipartRequest(
  headers: { cookie: string },
  fields: Record<string, string | File>,
): Promise<Call> {
  const { text } = await browse('console.home', { headers });
  const sent = await multipart(Object.entries({ form: formTokenIn(text), ...fields }));
  return { body: sent.body, headers: { ...headers, ...sent.headers } };
}

/** The form with a file, of CAMT.053 unless fields say so. */
export async function uploadOf(
  headers: { cookie: string },
  applicationId: string,
  fields: Record<string, string | File> = {},
): Promise<Call> {
  const file = new File([camt([entryXml()])], 'day.xml');
  const request = await multipartRequest(headers, { format: 'camt.053', file, ...fields });
  return { ...request, params: { applicationId } };
}

/** The actions of operators on an object, newest first. */
export const actionsOn = async (objectId: string) =>
  good(await call('operator.action-list', await asOperator({ query: { objectId } }))).actions;

export const consoleSamples: Record<string, () => Call | Promise<Call>> = {
  'console.audit': async () => ({ headers: await signedIn(), query: { applicationId: 'app_1' } }),
  'console.home': async () => ({ headers: await signedIn() }),
  'console-money.home': async () => ({ headers: await signedIn() }),
  'console-money.show': async () => {
    const { applicationId } = (await waitingPayment()).seller;
    return { headers: await signedIn(), params: { applicationId } };
  },
  'console-money.statement-list': async () => {
    const { headers, applicationId } = await withStatement();
    return { headers, params: { applicationId } };
  },
  'console-money.statement-upload': async () => {
    const { applicationId } = await newSeller();
    return uploadOf(await signedIn(), applicationId);
  },
  'console-money.statement-show': async () => {
    const { headers, ...params } = await withStatement();
    return { headers, params };
  },
  'console-money.statement-action': async () => {
    const { headers, ...params } = await withStatement();
    const request = await multipartRequest(headers, {
      action: 'keep',
      version: '0',
      'choice-1': 'skip',
    });
    return Object.assign(request, { params });
  },
  'console.search': async () => ({ headers: await signedIn(), query: { q: 'SUB-7K3M9XQP' } }),
  'console.review-queue': async () => ({ headers: await signedIn('review') }),
  'console.review-next': async () => actionRequest(await signedIn('review')),
  'console.review-show': () => review(),
  'console.review-submit': () => review({ action: 'verify', revision: '1' }),
  'console.sign-in-show': () => ({ query: { next: '/console/search?q=a' } }),
  'console.sign-in-submit': async () => signInRequest({ key: (await newConsoleKey()).secret }),
  'console.sign-out': async () => actionRequest(await signedIn()),
};

import * as keys from '../../../functions/shared/contract/keys.ts';
import {
  type Call,
  type Credentials,
  newSecret,
  newTenant,
  newUser,
  updateItem,
} from '../../support/call.ts';
import { codeSentTo } from '../../support/mail/mailbox.ts';
import { form, formType, formWith } from '../../support/samples/forms.ts';
import * as oauth from '../../support/samples/oauth.ts';
import { type Case, row } from './case.ts';

const newRequest = async () => oauth.authorization(await newTenant(), oauth.newPkce().challenge);

async function signedIn() {
  const query = await newRequest();
  const user = await newUser();
  return { query, browser: await oauth.signedInBrowser(query, user.email) };
}

/** The request of a browser for the button of a step. */
function pressed(browser: oauth.Browser, step: string, filled: Record<string, string> = {}): Call {
  const fields = { ...formWith(browser.page?.text ?? '', step), ...filled, step };
  return { body: form(fields), headers: { ...formType, cookie: browser.cookie ?? '' } };
}

async function opened(step: string, filled: Record<string, string> = {}): Promise<Call> {
  const browser = new oauth.Browser();
  await browser.open(await newRequest());
  return pressed(browser, step, filled);
}

async function withCode(): Promise<Call> {
  const browser = new oauth.Browser();
  const { email } = await newUser();
  await browser.open(await newRequest());
  await browser.send('send', { email });
  return pressed(browser, 'sign-in', { code: await codeSentTo(email) });
}

const answering = async (step: string) => pressed((await signedIn()).browser, step);

/** A request with a new secret of the application, which no function has cached. */
async function asked(tenant: Credentials, fields: Record<string, string>): Promise<Call> {
  const { applicationId } = tenant;
  const { secret, keyId, key } = await newSecret('client_secret', { applicationId });
  await updateItem(keys.application(applicationId), {
    UpdateExpression: 'SET #keys.#id = :key',
    ExpressionAttributeNames: { '#keys': 'keys', '#id': keyId },
    ExpressionAttributeValues: { ':key': key },
  });
  return oauth.tokenCall({ ...fields, ...oauth.bodyCredentials({ ...tenant, clientSecret: secret }) });
}

async function redeeming(): Promise<Call> {
  const { tenant, redemption } = await oauth.newGrant();
  return asked(tenant, redemption);
}

async function redeemingAgain(): Promise<Call> {
  const { tenant, redemption } = await oauth.newGrant();
  await oauth.requestTokens(tenant, redemption);
  return asked(tenant, redemption);
}

/** Rotates a token that was rotated `times` times. */
async function refreshed(times: number): Promise<Call> {
  const { tenant, refresh } = await oauth.newTokens();
  let token = refresh;
  for (let i = 0; i < times; i += 1) token = (await oauth.requestRefresh(tenant, token)).body.refresh_token;
  return asked(tenant, { grant_type: 'refresh_token', refresh_token: token });
}

async function refreshedAgain(): Promise<Call> {
  const { tenant, refresh } = await oauth.newTokens();
  await oauth.requestRefresh(tenant, refresh);
  return asked(tenant, { grant_type: 'refresh_token', refresh_token: refresh });
}

const revoking = (kind: 'access' | 'refresh') => async () => {
  const tokens = await oauth.newTokens();
  return asked(tokens.tenant, { token: tokens[kind] });
};

export const oauthCases: readonly Case[] = [
  row('oauth.consent-show', 'a stranger', async () => ({ query: await newRequest() })),
  row('oauth.consent-show', 'signed in', async () => {
    const { query, browser } = await signedIn();
    return { query, headers: { cookie: browser.cookie ?? '' } };
  }),
  row('oauth.consent-submit', 'send', async () => opened('send', { email: (await newUser()).email })),
  row('oauth.consent-submit', 'sign in', withCode, 303),
  row('oauth.consent-submit', 'allow', () => answering('allow'), 303),
  row('oauth.consent-submit', 'deny', () => answering('deny'), 303),
  row('oauth.consent-submit', 'switch', () => answering('switch'), 303),
  row('oauth.token', 'a code', redeeming),
  row('oauth.token', 'a code, used before', redeemingAgain, 400),
  row('oauth.token', 'a refresh', () => refreshed(0)),
  row('oauth.token', 'the 11th refresh', () => refreshed(10)),
  row('oauth.token', 'a refresh, sent again', refreshedAgain),
  row('oauth.revoke', 'access token', revoking('access')),
  row('oauth.revoke', 'refresh token', revoking('refresh')),
  row('oauth.revoke', 'unknown token', async () => asked(await newTenant(), { token: 'vat_unknown' })),
];

import { minuteMs } from '../../../functions/shared/runtime/clock.ts';
import { type Call, call, goodPlan, newOperatorKey, newSeller, newTenant } from '../../support/call.ts';
import { trustedAccount } from '../../support/devices/accounts.ts';
import { eventsOf } from '../../support/events.ts';
import { answered, atOnce, type Begun, sent, statusesOf, told, twice } from '../../support/orders/at-once.ts';
import { signedInAccount } from '../../support/samples/account.ts';
import {
  actionRequest,
  actionsOn,
  cookieOf,
  newConsoleKey,
  signedIn,
  signIn,
} from '../../support/samples/console.ts';
import { operationFields, recordForm, sendForm } from '../../support/samples/console-operations.ts';
import { deployedFiles } from '../../support/samples/deployed-files.ts';
import { developerForm, sendDeveloper } from '../../support/samples/developers.ts';
import { browse } from '../../support/samples/forms.ts';
import { decide, linkCall, newParties, submit, submittedId } from '../../support/samples/links.ts';
import { newTokens } from '../../support/samples/oauth.ts';
import { asOperator } from '../../support/samples/operator.ts';
import { fieldOf, newBilling, openBilling, submitBilling } from '../../support/subscriptions/billing.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A person who is signed in to the console. */
async function reviewer() {
  deployedFiles();
  const { keyId, secret } = await newConsoleKey(['review']);
  const headers = { cookie: cookieOf(await signIn({ key: secret })) };
  const request = async (fields: Record<string, string>, params: Record<string, string> = {}) =>
    Object.assign(await actionRequest(headers, fields), { params });
  return { keyId, headers, request };
}
const showing = (headers: { cookie: string }, linkId: string) => () =>
  browse('console.review-show', { headers, params: { linkId } }).then(({ text }) =>
    text.includes('value="verify"'),
  );

/** A link that waits, and two reviewers. */
async function reviewed() {
  const linkId = await submittedId(await newParties());
  return { linkId, one: await reviewer(), other: await reviewer() };
}
const submitting = async (
  { request }: Awaited<ReturnType<typeof reviewer>>,
  linkId: string,
  fields: Record<string, string>,
) => sent('console.review-submit', await request(fields, { linkId }));

const verifying = { action: 'verify', revision: '1' };
const rejecting = { action: 'reject', revision: '1', reason: 'different' };

/** A form of the page of an application, which two clicks send. */
async function developers(action: string, filled: Record<string, string>) {
  const { applicationId } = await newTenant();
  const headers = await signedIn();
  const request = await developerForm(headers, { applicationId }, { operation: action }, filled);
  return { applicationId, headers, request };
}
const update = 'applications.update';
/** The form that confirms other settings. */
async function settings(
  { applicationId, headers }: Awaited<ReturnType<typeof developers>>,
  graceDays: number,
) {
  const { fields } = await recordForm(update, headers, { 'path.id': applicationId });
  const filled = { ...fields, 'body.settings.dunning.graceDays': String(graceDays) };
  const { text } = await sendForm(update, headers, filled);
  const confirmed = { ...operationFields(text, 'update'), reason: 'They asked for it.' };
  return async () => (await sendForm(update, headers, confirmed)).status;
}
const developing = (request: Call) => () => sendDeveloper(request).then(({ status }) => status);
const isRecordedOnce = (id: string) => async () => expect(await actionsOn(id)).toHaveLength(1);

/** A request about a link, and an update of its title. */
const besideUpdate = (what: string, body?: object) => async (): Promise<Begun> => {
  const parties = await newParties();
  const id = await submittedId(parties);
  const update = linkCall(parties, id, { title: 'A' });
  return { works: [sent(what, linkCall(parties, id, body)), sent('links.update', update)] };
};

/** A decision of the API on a link, or its withdrawal, and what its application asks meanwhile. */
const decidedBeside =
  (decision: 'verified' | 'withdrawn', what: string, body?: object) => async (): Promise<Begun> => {
    const parties = await newParties();
    const id = await submittedId(parties);
    const key = await newOperatorKey();
    const deciding = (one: typeof decision, revision: number) =>
      told(decide(key, id, { decision: one, revision, reason: 'For the test.' }));
    if (decision === 'withdrawn') await deciding('verified', 1);
    const revision = decision === 'withdrawn' ? 2 : 1;
    return { works: [() => deciding(decision, revision), sent(what, linkCall(parties, id, body))] };
  };

const cases: [what: string, () => Promise<Begun>][] = [
  [
    'two reviewers who ask for the next link get different ones',
    async () => {
      const parties = await newParties();
      for (const title of ['A', 'B']) await submittedId(parties, { title });
      const works = await Promise.all(
        [await reviewer(), await reviewer()].map(async ({ request }) => {
          const asked = await request({});
          return async () => {
            const { headers } = await browse('console.review-next', asked);
            const found = /reviews\/(lnk_\w+)/.exec(headers.location ?? '')?.[1] ?? '';
            return found;
          };
        }),
      );
      // The queue has links of others too.
      return { works, isInParts: true, check: ([a, b]) => expect(a).not.toBe(b) };
    },
  ],
  [
    'a link that two reviewers open is that of one',
    async () => {
      const { linkId, one, other } = await reviewed();
      return {
        works: [one, other].map(({ headers }) => showing(headers, linkId)),
        check: (forms) => expect(forms.filter((isOpen) => isOpen === true)).toHaveLength(1),
      };
    },
  ],
  [
    'a claim that ran out is that of another reviewer, or decides before',
    async () => {
      const { linkId, one, other } = await reviewed();
      await showing(one.headers, linkId)();
      const decision = await submitting(one, linkId, verifying);
      vi.setSystemTime(Date.now() + 11 * minuteMs);
      return {
        works: [decision, showing(other.headers, linkId)],
        // A page can show a link as it was before the decision. It decides nothing any more.
        isInParts: true,
        check: ([status, isOpen]) => expect(status === 409 ? isOpen : status).toBeOneOf([true, 303]),
      };
    },
  ],
  [
    'a claim is taken over by one of two, and the former reader decides nothing after it',
    async () => {
      const { linkId, one, other } = await reviewed();
      await showing(one.headers, linkId)();
      const takeOver = { action: 'take-over', holder: one.keyId };
      const late = await submitting(one, linkId, verifying);
      const works = [
        await submitting(other, linkId, takeOver),
        await submitting(await reviewer(), linkId, takeOver),
      ];
      return { works, check: async () => expect(await late()).toBe(409) };
    },
  ],
  [
    'one of two decisions of a form is made',
    async () => {
      const { linkId, one } = await reviewed();
      // Each decision leads to the next link, so that one has to wait.
      await submittedId(await newParties());
      await showing(one.headers, linkId)();
      const works = [await submitting(one, linkId, verifying), await submitting(one, linkId, rejecting)];
      return { works, ...answered(303, 409) };
    },
  ],
  [
    'one of two decisions of the API is made, with one event',
    async () => {
      const parties = await newParties();
      const linkId = await submittedId(parties);
      const key = await newOperatorKey();
      const deciding = (decision: 'verified' | 'rejected') => () =>
        told(decide(key, linkId, { decision, revision: 1 }));
      return {
        works: [deciding('verified'), deciding('rejected')],
        check: async (results) => {
          expect(statusesOf(results)).toEqual([200, 409]);
          expect(await eventsOf(parties.applicationId)).toHaveLength(1);
        },
      };
    },
  ],
  [
    'a decision beside an update of its link is made on what was read',
    decidedBeside('verified', 'links.update', { title: 'A' }),
  ],
  ['a decision beside the removal of its link leaves no link', decidedBeside('verified', 'links.remove')],
  [
    'a withdrawal beside an update of its link is made on what was read',
    decidedBeside('withdrawn', 'links.update', { title: 'A' }),
  ],
  ['a withdrawal beside the removal of its link leaves no link', decidedBeside('withdrawn', 'links.remove')],
  ['two updates of a link lose no field', besideUpdate('links.update', { description: 'C' })],
  ['the removal of a link beside an update leaves no part of it', besideUpdate('links.remove')],
  [
    'two updates of a plan lose no field',
    async () => {
      const { applicationId: id } = await newTenant();
      const created = await call('plans.create', await asOperator({ params: { id }, body: goodPlan }));
      const params = { id, planId: created.body.plan._id };
      const update = async (body: object) => sent('plans.update', await asOperator({ params, body }));
      return { works: [await update({ name: 'A' }), await update({ price: 100 })], ...answered(200, 200) };
    },
  ],
  [
    'a change of an application and a new key of it lose nothing',
    async () => {
      const params = { id: (await newTenant()).applicationId };
      const update = await asOperator({ params, body: { name: 'A' } });
      const create = await asOperator({ params, body: { kind: 'api_key' } });
      const works = [sent('applications.update', update), sent('applications.key-create', create)];
      return { works, ...answered(200, 201) };
    },
  ],
  [
    'a client that the application changes while they rename themselves has both changes',
    async () => {
      const { seller, externalId, token } = await newBilling(await newSeller());
      const body = { externalId, email: 'new@example.com', metadata: { team: 'blue' } };
      return {
        works: [
          sent('clients.upsert', { headers: seller.headers, body }),
          () => told(submitBilling(token, { action: 'rename', name: 'Anna' })),
        ],
        ...answered(200, 303),
      };
    },
  ],
  [
    'equal submissions under a key store their links once',
    async () => {
      const parties = await newParties();
      const key = { headers: { 'idempotency-key': 'once' } };
      return { ...twice(() => told(submit(parties, 2, key))), ...answered(200, 200) };
    },
  ],
  [
    'a key that two clicks create is created once',
    async () => {
      const { applicationId, request } = await developers('key-create', { 'body.kind': 'api_key' });
      return {
        ...twice(developing(request)),
        check: async (results) => {
          expect(statusesOf(results)).toEqual([200, 409]);
          await isRecordedOnce(applicationId)();
        },
      };
    },
  ],
  [
    'settings that two clicks change are changed once',
    async () => {
      const one = await developers('key-create', { 'body.kind': 'api_key' });
      return { ...twice(await settings(one, 3)), check: isRecordedOnce(one.applicationId) };
    },
  ],
  [
    'of two changes of settings, one is made',
    async () => {
      const one = await developers('key-create', { 'body.kind': 'api_key' });
      const works = [await settings(one, 1), await settings(one, 2)];
      return { works, ...answered(303, 409) };
    },
  ],
  [
    'signing out everywhere by two clicks has one record',
    async () => {
      const { email, userId } = await trustedAccount();
      const request = (await signedInAccount(email)).request('sign-out-everywhere');
      const history = await asOperator({ params: { userId } });
      const submit = async () => (await call('account.submit', request)).headers.location?.split('.', 1);
      const check = async (results: readonly unknown[]) => {
        expect(results.flat()).toEqual(['account?done=everywhere', 'account?done=everywhere']);
        expect((await call('users.history', history)).body.history).toHaveLength(1);
      };
      return { ...twice(submit), check };
    },
  ],
  [
    'the access of an application that two clicks withdraw ends once',
    async () => {
      const { user, tenant } = await newTokens();
      const browser = await signedInAccount(user.email);
      const request = browser.request('withdraw', { application: tenant.applicationId });
      return {
        ...twice(sent('account.submit', request)),
        check: async () =>
          expect((await eventsOf(tenant.applicationId)).map(({ type }) => type)).toEqual([
            'consent.granted',
            'consent.withdrawn',
          ]),
      };
    },
  ],
  [
    'a link to the billing page that two clicks replace is replaced once',
    async () => {
      const { token } = await newBilling(await newSeller());
      return {
        ...twice(() => told(submitBilling(token, { action: 'replace-link' }))),
        ...answered(303, 303),
      };
    },
  ],
  [
    'a cancellation that two clicks confirm is made once',
    async () => {
      const { token } = await newBilling(await newSeller());
      const periodEnd = fieldOf(await openBilling(token, { step: 'cancel' }), 'periodEnd');
      return {
        ...twice(() => told(submitBilling(token, { action: 'cancel', periodEnd }))),
        ...answered(303, 303),
      };
    },
  ],
];

test.each(cases)('%s', async (_, begin) => {
  expect((await atOnce(begin)).run).toBeGreaterThan(1);
});

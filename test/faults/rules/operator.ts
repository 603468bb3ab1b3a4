import { type Call, call } from '../../support/call.ts';
import { mailsTo } from '../../support/mail/mailbox.ts';
import type { Rules } from '../scenario.ts';
import { same, succeeded } from './succeeded.ts';

/** Sends the request again with other fields. */
const rewritten =
  (id: string, fields: object) =>
  ({ headers = {}, params = {}, body }: Call) =>
    succeeded(call(id, { headers, params, body: { ...(body as object), ...fields } }));

export const operatorRules: Readonly<Record<string, Rules>> = {
  'applications.create': {
    repeatMakesAnother: true,
    verify: ({ headers = {} }, { body }) =>
      succeeded(call('applications.read', { headers, params: { id: body.application._id } })),
    change: ({ headers = {}, body }, answer) =>
      succeeded(
        call('applications.update', {
          headers,
          params: { id: answer.body.application._id },
          body: { ...(body as object), name: 'A newer name' },
        }),
      ),
  },
  'applications.update': {
    repeatMakesAnother: true,
    change: rewritten('applications.update', { name: 'A newer name' }),
  },
  'applications.key-create': {
    repeatMakesAnother: true,
    // An application has at most two keys of a kind.
    repeated: [409],
    change: ({ headers = {}, params = {} }, { body }) =>
      succeeded(call('applications.key-revoke', { headers, params: { ...params, keyId: body.keyId } })),
  },
  'applications.key-revoke': { repeated: [404] },
  'operator.operator-key-create': {
    repeatMakesAnother: true,
    change: ({ headers = {} }, { body }) =>
      succeeded(call('operator.operator-key-revoke', { headers, params: { keyId: body.keyId } })),
  },
  'operator.operator-key-revoke': { repeated: [404] },
  'users.grant-revoke': {
    verify: async ({ headers = {}, params = {} }) => {
      const { userId = '' } = params;
      const { body } = await succeeded(call('users.grant-list', { headers, params: { userId } }));
      same('the grants', body.grants.length, 0);
    },
  },
  'users.upsert': {
    repeatMakesAnother: true,
    verify: async ({ headers = {}, params = {}, body }) => {
      const read = await succeeded(call('users.read', { headers, params }));
      same('email', (read.body.user ?? read.body).email, (body as { email: string }).email);
    },
    change: rewritten('users.upsert', { name: 'A newer name' }),
  },
  'users.reset': {
    repeatMakesAnother: true,
    verify: async ({ headers = {}, params = {} }) => {
      const { body } = await succeeded(call('users.history', { headers, params }));
      same('action', body.history[0].action, 'user.reset');
    },
  },
  'users.reset: devices and a consent': {
    // The second reset finds no consent.
    repeatMakesAnother: true,
    verify: async ({ headers = {}, params = {} }) => {
      const { body } = await succeeded(call('users.grant-list', { headers, params }));
      same('the grants', body.grants.length, 0);
    },
  },
  'users.enrolment-link-send': {
    repeatMakesAnother: true,
    verify: async (_, { body }) => {
      const [mail] = await mailsTo(body.email);
      if (!mail?.text.includes('/account?enrolment=vet_')) throw new Error('no link was mailed');
    },
  },
  'users.social-account-upsert': {
    repeatMakesAnother: true,
    change: rewritten('users.social-account-upsert', { verified: false }),
  },
  'plans.create': {
    repeatMakesAnother: true,
    change: ({ headers = {}, params = {}, body }, answer) =>
      succeeded(
        call('plans.update', {
          headers,
          params: { ...params, planId: answer.body.plan._id },
          body: { ...(body as object), name: 'A newer name' },
        }),
      ),
  },
  'plans.update': {
    repeatMakesAnother: true,
    change: rewritten('plans.update', { name: 'A newer name' }),
  },
};

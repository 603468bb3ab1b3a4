import { type Answered, bearer, type Call, call } from '../../support/call.ts';
import { tokenCall } from '../../support/samples/oauth.ts';
import type { Answer, Rules } from '../scenario.ts';
import { same, succeeded } from './succeeded.ts';

const credentialsOf = ({ body }: Call): Record<string, string> => {
  const form = new URLSearchParams(String(body));
  return { client_id: form.get('client_id') ?? '', client_secret: form.get('client_secret') ?? '' };
};

const refresh = (request: Call, { body }: Answer): Promise<Answered> =>
  succeeded(
    call(
      'oauth.token',
      tokenCall({
        ...credentialsOf(request),
        grant_type: 'refresh_token',
        refresh_token: body.refresh_token,
      }),
    ),
  );

const accessTokenWorks = (_: Call, { body }: Answer) =>
  succeeded(call('links.list', { headers: bearer(body.access_token) }));

export const oauthRules: Readonly<Record<string, Rules>> = {
  'oauth.consent-submit: send': { repeated: [303] },
  'oauth.consent-submit: sign in': { repeated: [200, 400, 429] },
  'oauth.token: a code': {
    // A code that is sent again revokes its tokens (RFC 6749 section 4.1.2).
    repeated: [400],
    mayDiffer: ['ACCESSTOKEN/SECRET', 'EVENT/EVENTS', 'REFRESHTOKEN/SECRET'],
    verify: accessTokenWorks,
    change: refresh,
  },
  'oauth.token: a refresh': {
    verify: async (request, answer) => {
      await accessTokenWorks(request, answer);
      const repeated = await succeeded(call('oauth.token', request));
      same('the refresh token', repeated.body.refresh_token, answer.body.refresh_token);
    },
    change: refresh,
  },
};

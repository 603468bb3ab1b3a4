import type { Call } from '../../support/call.ts';
import { AccountBrowser } from '../../support/samples/account.ts';
import type { Rules } from '../scenario.ts';

/** The page that the session of a request shows. */
async function shown({ headers = {} }: Call): Promise<string> {
  const browser = new AccountBrowser();
  browser.cookie = headers.cookie;
  return (await browser.open()).text;
}

const field = ({ body }: Call, name: string) => new URLSearchParams(String(body)).get(name) ?? '';

/** A removed entry must not be on the page again. */
const isGone = (name: string) => async (request: Call) => {
  if ((await shown(request)).includes(`name="${name}" value="${field(request, name)}"`))
    throw new Error(`the ${name} is still on the page`);
};

export const accountPageRules: Readonly<Record<string, Rules>> = {
  'account.submit: send': { repeated: [303] },
  'account.submit: sign in': { repeated: [200, 400, 429] },
  'account.submit: remove': { verify: isGone('device'), mayDiffer: ['DEVICE/QUARANTINED'] },
  'account.submit: withdraw': { verify: isGone('application') },
  'account.submit: sign out everywhere': {
    verify: async (request) => {
      if ((await shown(request)).includes('Signed in as')) throw new Error('the session has not ended');
    },
  },
};

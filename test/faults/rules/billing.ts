import { type Call, call, tokenOf } from '../../support/call.ts';
import type { Answer, Rules } from '../scenario.ts';
import { same, succeeded } from './succeeded.ts';

const shown = async (token = '') => (await succeeded(call('portal.show', { params: { token } }))).text;

/** The page of the request shows a text. */
const shows =
  (text: string) =>
  async ({ params = {} }: Call) => {
    if (!(await shown(params.token)).includes(text)) throw new Error(`the page does not show ${text}`);
  };

/** A further form of the same page. */
const further = (fields: Record<string, string>) => (request: Call) =>
  succeeded(call('portal.submit', { ...request, body: new URLSearchParams(fields).toString() }), 303);

/** Cancels at the end of the period, which the page is asked for first. */
const cancelled = async (request: Call) => {
  const { text } = await succeeded(call('portal.show', { ...request, query: { step: 'cancel' } }));
  const periodEnd = /name="periodEnd" value="(\d+)"/.exec(text)?.[1] ?? '';
  return further({ action: 'cancel', periodEnd })(request);
};

/** The link in the answer opens the page. */
const opens = async (_: Call, { body }: Answer) => {
  same('page', (await shown(tokenOf(body.billingUrl))).includes('Your subscription to'), true);
};

export const billingRules: Readonly<Record<string, Rules>> = {
  'portal.link: the present one': { verify: opens },
  'portal.link: replace': { verify: opens, repeatMakesAnother: true },
  'portal.submit: rename': {
    verify: shows('value="Ann Example"'),
    change: further({ action: 'rename', name: 'A newer name' }),
  },
  'portal.submit: cancel': {
    verify: shows('Undo the cancellation'),
    change: further({ action: 'undo' }),
  },
  'portal.submit: undo': { verify: shows('Cancel the subscription'), change: cancelled },
  'portal.submit: replace the link': { verify: shows('Mail me the new link') },
  'portal.submit: mail the link': { verify: shows('Check your mail') },
};

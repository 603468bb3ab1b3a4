import { billingLinkOf, billingToken } from '../../../../functions/portal/pages/link.ts';
import { maskedAddress } from '../../../../functions/portal/pages/old-link-pages.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { hourMs } from '../../../../functions/shared/runtime/clock.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import {
  call,
  deliverOutboxOf,
  good,
  leaveOutPdfs,
  newSeller,
  noonMs,
  onTestClock,
} from '../../../support/call.ts';
import { mailsTo } from '../../../support/mail/mailbox.ts';
import * as billing from '../../../support/subscriptions/billing.ts';
import { heading, visible } from '../../../support/subscriptions/payable-invoices.ts';
import { clientOf, storedSubscription } from '../../../support/subscriptions/stored-state.ts';

onTestClock();
leaveOutPdfs();

const versionOf = async (id: string) => (await getItem(keys.subscriptionOwner(id)))?.billingLinkVersion;
const nowhere = [404, 'Page not found'];
const shown = async (token: string) => {
  const page = await billing.openBilling(token);
  return [page.status, heading(page)];
};
const isCurrent = [200, 'Your subscription to “Pro”'];
const isOld = [200, 'This link was replaced'];

/** Delivers the outbox of a subscription. @returns the mails to its client, newest first. */
async function delivered({ seller, externalId, id }: Awaited<ReturnType<typeof billing.newBilling>>) {
  const subscription = await seller.stateOf(externalId, id);
  await deliverOutboxOf(subscription);
  return mailsTo((await clientOf(seller, externalId))?.email ?? '');
}

const linkIn = (text: string | undefined): string =>
  decodeURIComponent(/\/billing\/([^\s)?]+)/.exec(text ?? '')?.[1] ?? 'none');

describe('a link to the billing page', () => {
  test('is refused when it is changed, truncated, extended or combined from others', async () => {
    const { id, token } = await billing.newBilling(await newSeller());
    const other = await billing.newBilling(await newSeller());
    for (let i = 0; i < token.length; i += 1) {
      const changed = `${token.slice(0, i)}${token[i] === 'A' ? 'B' : 'A'}${token.slice(i + 1)}`;
      expect(await billingLinkOf(changed)).toBeUndefined();
      expect(await billingLinkOf(token.slice(0, i))).toBeUndefined();
    }
    const mac = token.split('.')[2] ?? '';
    const forged = [
      `${token}A`,
      `${other.id}.0.${mac}`,
      `${id}.1.${mac}`,
      `${id}.00.${mac}`,
      `${id}..${mac}`,
      mac,
    ];
    for (const text of [...forged, '', '.', '..', `.${mac}`, `${id}.0.${'é'.repeat(22)}`]) {
      expect(await billingLinkOf(text)).toBeUndefined();
    }
    expect(await billingLinkOf(token)).toEqual({ subscriptionId: id, version: 0 });
  });

  test('gets the same page when it is forged, of a missing subscription, or of a version that was never issued', async () => {
    const { id, token } = await billing.newBilling(await newSeller());
    const missing = await (await newSeller()).subscribed();
    const absent = `${missing.id.slice(0, -4)}0000`;
    const tokens = [
      `${token.slice(0, -3)}AAA`,
      'nonsense',
      await billingToken({ subscriptionId: absent, version: 0 }),
      await billingToken({ subscriptionId: id, version: 1 }),
    ];
    const pages = await Promise.all(tokens.map((one) => billing.openBilling(one)));
    expect(pages.map((page) => [page.status, heading(page)])).toEqual(tokens.map(() => nowhere));
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
    for (const one of tokens) expect((await billing.submitBilling(one, { action: 'mail' })).status).toBe(404);
  });

  test('of one purpose is none of another: the token of a payment page opens no billing page', async () => {
    const { checkoutUrl } = await import('../../../../functions/invoices/payment-link.ts');
    const { id } = await billing.newBilling(await newSeller());
    const token = (await checkoutUrl('', `${id}.0`)).slice('/checkout/'.length);
    expect(await shown(token)).toEqual(nowhere);
  });
});

describe('an application', () => {
  test('makes the former links old, and gets the new one', async () => {
    const { seller, id, token } = await billing.newBilling(await newSeller());
    const second = await billing.billingTokenOf(seller, id, { replace: true });
    const third = await billing.billingTokenOf(seller, id, { replace: true });
    expect(third).toMatch(new RegExp(`^${id}\\.2\\.[\\w-]{22}$`));
    expect(await billing.billingTokenOf(seller, id)).toBe(third);
    expect(await Promise.all([token, second, third].map(shown))).toEqual([isOld, isOld, isCurrent]);
  });

  test('without a billing page gets no link, and its links lead nowhere', async () => {
    const seller = await newSeller('none', { billingPage: { enabled: false } });
    const { id } = await seller.subscribed('active');
    const answer = await call('portal.link', seller.callFor(id));
    expect(answer).toMatchObject({
      status: 409,
      body: { error: 'conflict', details: { billingPage: expect.any(String) } },
    });
    const token = await billingToken({ subscriptionId: id, version: 0 });
    expect(await shown(token)).toEqual(nowhere);
    expect((await billing.submitBilling(token, { action: 'rename', name: 'Eve' })).status).toBe(404);
  });
});

describe('a subscriber', () => {
  test('replaces the link, and gets the new one by mail only', async () => {
    const one = await billing.newBilling(await newSeller());
    const answer = await billing.submitBilling(one.token, { action: 'replace-link' });
    expect([answer.status, answer.headers.location]).toEqual([
      303,
      `https://api.test/test/billing/${one.token}?done=replaced`,
    ]);
    const page = await billing.openBilling(one.token, { done: 'replaced' });
    expect(heading(page)).toBe('Check your mail');
    expect(page.text).not.toContain(`${one.id}.1`);
    const links = (await delivered(one)).filter(({ subject }) => subject.includes('the link to'));
    expect(links.map(({ subject }) => subject)).toEqual(['“Example App”: the link to your subscription']);
    const [mail] = links;
    expect(await shown(linkIn(mail?.text))).toEqual(isCurrent);
    expect(await shown(one.token)).toEqual(isOld);
  });

  test('whose link the application replaced first changes nothing, and is told so', async () => {
    const one = await billing.newBilling(await newSeller());
    await billing.billingTokenOf(one.seller, one.id, { replace: true });
    for (const action of ['replace-link', 'undo', 'cancel', 'rename']) {
      const answer = await billing.submitBilling(one.token, { action, name: 'Eve' });
      expect([answer.status, heading(answer)]).toEqual([409, 'This link was replaced']);
      expect(answer.text).toContain('Nothing was changed.');
    }
    expect(await versionOf(one.id)).toBe(1);
    expect((await clientOf(one.seller, one.externalId))?.name).toBe('Ann');
  });

  test('with an old link has the present one mailed, at most once in an hour', async () => {
    const one = await billing.newBilling(await newSeller());
    await billing.billingTokenOf(one.seller, one.id, { replace: true });
    const links = async () => (await delivered(one)).filter(({ subject }) => subject.includes('the link to'));
    const ask = async () =>
      Promise.all(Array.from({ length: 5 }, () => billing.submitBilling(one.token, { action: 'mail' })));
    for (const { status, headers } of await ask()) {
      expect([status, headers.location]).toEqual([
        303,
        `https://api.test/test/billing/${one.token}?done=mailed`,
      ]);
    }
    vi.setSystemTime(noonMs + hourMs - 1);
    await ask();
    expect(await links()).toHaveLength(1);
    vi.setSystemTime(noonMs + hourMs);
    await ask();
    const [newest, ...others] = await links();
    expect(others).toHaveLength(1);
    expect(await shown(linkIn(newest?.text))).toEqual(isCurrent);
  });

  test('gets the link that is valid when the mail is sent, even if it was replaced once more', async () => {
    const one = await billing.newBilling(await newSeller());
    await billing.submitBilling(one.token, { action: 'replace-link' });
    const third = await billing.billingTokenOf(one.seller, one.id, { replace: true });
    const [mail] = await delivered(one);
    expect(linkIn(mail?.text)).toBe(third);
  });

  test('whose address was changed gets no link at the former address, by a mail that was still due', async () => {
    const one = await billing.newBilling(await newSeller(), 'pending');
    const former = (await clientOf(one.seller, one.externalId))?.email ?? '';
    await billing.billingTokenOf(one.seller, one.id, { replace: true });
    await billing.submitBilling(one.token, { action: 'mail' });
    const profile = { externalId: one.externalId, email: `new-${former}` };
    const headers = one.seller.headers;
    good(await call('clients.upsert', { headers, body: profile }));
    await billing.billingTokenOf(one.seller, one.id, { replace: true });
    const subscription = await one.seller.stateOf(one.externalId, one.id);
    await deliverOutboxOf(subscription);
    const mails = await mailsTo(former);
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining('please pay')]);
    expect(mails.map(({ text }) => linkIn(text))).toEqual(['none']);
  });
});

describe('the page of an old link', () => {
  test('says what became of the mail, and when the link can be mailed again', async () => {
    const one = await billing.newBilling(await newSeller());
    const page = async (query?: Record<string, string>) =>
      visible((await billing.openBilling(one.token, query)).text);
    await billing.submitBilling(one.token, { action: 'replace-link' });
    const again = 'The link can be mailed again from 10 March 2027, 13:00 UTC.';
    const mailed = 'The new link was mailed to u…@e….com on 10 March 2027, 12:00 UTC.';
    expect(await page({ done: 'replaced' })).toMatch(/is on its way to u…@e….com.*Mail it again/);
    await delivered(one);
    expect(await page({ done: 'replaced' })).toContain(mailed);

    await billing.submitBilling(one.token, { action: 'mail' });
    await delivered(one);
    await billing.submitBilling(one.token, { action: 'mail' });
    const text = await page({ done: 'mailed' });
    expect(text).toContain(mailed);
    expect(text).toContain(again);
    expect(text).not.toMatch(/Mail it again|on its way/);
    vi.setSystemTime(noonMs + hourMs);
    const later = await page({ done: 'mailed' });
    expect(later).toContain('We can mail it to u…@e….com.');
    expect(later).not.toContain('was mailed');
  });

  test('tells nothing of the subscription, and only the beginnings of the address', async () => {
    const one = await billing.newBilling(await newSeller(), 'pending');
    await billing.billingTokenOf(one.seller, one.id, { replace: true });
    const { subscription, invoices } = await storedSubscription(one.seller, one.externalId, one.id);
    const { email = '' } = (await clientOf(one.seller, one.externalId)) ?? {};
    for (const query of [undefined, { done: 'mailed' }, { step: 'cancel' }, { before: '9' }]) {
      const { text } = await billing.openBilling(one.token, query);
      expect(text).toContain(maskedAddress(email));
      const secrets = [
        email,
        subscription.referenceNumber,
        'Pro',
        'Example App',
        'Ann',
        '9.99',
        invoices[0]?.number,
      ];
      for (const secret of secrets) expect(text).not.toContain(secret);
    }
    const pdf = await call('portal.invoice', {
      params: { token: one.token, invoiceId: invoices[0]?.invoiceId ?? '' },
    });
    expect(pdf.status).toBe(404);
  });

  test.each([
    ['ann@example.com', 'a…@e….com'],
    ['a@b.co.uk', 'a…@b….uk'],
    ['𝒶nn@münchen.de', '𝒶…@m….de'],
  ])('shows %s as %s', (address, masked) => {
    expect(maskedAddress(address)).toBe(masked);
  });
});

import { enter, expectAccessible, seeHeading, tabTo } from '../../../support/browser/accessible.ts';
import { browserOfWorker, hasChromium, type TestBrowser } from '../../../support/browser/chromium.ts';
import { startSubscriptionStack } from '../../../support/subscriptions/stack.ts';

const day = 86_400_000;

describe('the page of the local stack', () => {
  let stack: Awaited<ReturnType<typeof startSubscriptionStack>>;
  let browser: TestBrowser;
  beforeAll(async () => {
    stack = await startSubscriptionStack();
    if (hasChromium) browser = await browserOfWorker();
    // The demo people are made once.
    await stack.send('/_local');
  });
  afterAll(() => stack?.stop());

  const submit = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    stack.send('/_local', { method: 'POST', body: new URLSearchParams(fields), headers });
  const outcomeOf = async (fields: Record<string, string>) => {
    const { status, headers } = await submit(fields);
    expect(status).toBe(303);
    const { pathname, search } = new URL(headers.get('location') ?? '', stack.url);
    return (await stack.send(`${pathname}${search}`)).body as string;
  };

  test('two clicks at once move the clock twice, and each shows what it has caused itself', async () => {
    const before = await stack.now();
    // Of Cleo, whose payment was taken back: the reminders after two days and a week.
    const pages = await Promise.all([
      outcomeOf({ action: 'step', person: 'cleo' }),
      outcomeOf({ action: 'step', person: 'cleo' }),
    ]);
    expect((await stack.now()) - before).toBeGreaterThan(6.9 * day);
    for (const page of pages) {
      expect(page).toMatch(/Steps: 1<.*dunning_reminder; now past_due/);
      expect(page).toMatch(/Mails: 1<.*to cleo@example\.com/);
    }
    expect(pages[0]).not.toBe(pages[1]);
  });

  test('a move by a day and a week is exact, and the JSON of the clock agrees', async () => {
    const before = await stack.now();
    await outcomeOf({ action: 'day' });
    await outcomeOf({ action: 'week' });
    const moved = (await stack.now()) - before;
    expect(moved).toBeGreaterThanOrEqual(8 * day);
    expect(moved).toBeLessThan(8 * day + 60_000);
  });

  test('the next step of all is the earliest one in the index of due steps', async () => {
    const { body } = await stack.send('/_local');
    const [, due = ''] = /next step of a subscription: \w+, <time datetime="([^"]+)"/.exec(body) ?? [];
    expect(await outcomeOf({ action: 'next' })).toMatch(/Steps: 1</);
    const late = (await stack.now()) - Date.parse(due);
    expect(late).toBeGreaterThanOrEqual(0);
    expect(late).toBeLessThan(60_000);
  });

  test.each([
    ['of another site', { origin: 'https://evil.example' }, 403],
    ['of a page without an origin', { origin: 'null' }, 403],
  ])('a form %s is refused and moves nothing', async (_, headers, status) => {
    const before = await stack.now();
    expect((await submit({ action: 'week' }, headers)).status).toBe(status);
    expect((await stack.now()) - before).toBeLessThan(60_000);
  });

  test.each([
    [{ action: 'year' }],
    [{ action: 'step' }],
    [{ action: 'step', person: 'dora' }],
    [{ action: 'sign-in', person: '__proto__' }],
    [{ action: 'event', type: 'subscription.unknown' }],
    [{}],
  ])('a form with %o is refused', async (fields) => {
    const { status, body } = await submit(fields);
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });

  test('a person that does not exist, and a checkout of nothing that is owed, are not found', async () => {
    for (const path of ['dora/billing', 'anna/other', 'anna/billing/more', 'anna'])
      expect((await stack.send(`/_local/people/${path}`)).status, path).toBe(404);
    expect((await stack.send('/_local/people/ben/checkout')).status).toBe(404);
  });

  test.each([
    ['invoice.paid', 'demo-gateway'],
    ['link.verified', 'demo-links'],
    ['webhook.disabled', 'demo-gateway'],
  ])('the example of %s is delivered to %s, signed', async (type, receiver) => {
    const page = await outcomeOf({ action: 'event', type });
    expect(page).toContain(`${type}</a> to ${receiver}`);
    const { deliveries } = (await stack.send(`/_local/webhooks/${receiver}`)).body;
    expect(deliveries[0]).toMatchObject({ type, signature: 'verified', status: 204 });
  });

  test('a person whose subscription has ended gets a new one', async () => {
    // The trial ends unpaid.
    for (let steps = 0; steps < 3; steps += 1) {
      const { body } = await stack.send('/_local');
      if (/Create a new subscription: Anna/.test(body)) break;
      await outcomeOf({ action: 'step', person: 'anna' });
    }
    expect((await stack.send('/_local')).body).toContain('Create a new subscription: Anna Demo');
    expect(await outcomeOf({ action: 'restart', person: 'anna' })).not.toContain(
      'Create a new subscription: Anna Demo',
    );
    expect((await stack.send('/_local')).body).toMatch(/Anna Demo<(?:(?!<li>).|\n)*trialing/);
  });

  describe.skipIf(!hasChromium)('in Chromium (skipped where there is none)', () => {
    afterEach(() => browser?.endTest());

    test('the keyboard alone, without JavaScript: a declined payment, its reminder, an event and a sign-in', async () => {
      await submit({ action: 'restart', person: 'cleo' });
      const page = await browser.newPage({ javaScript: false });
      await page.goto(`${stack.url}/_local`);
      await seeHeading(page, 'Vouchsafe');
      await expectAccessible(page);
      const happened = page.getByRole('status');
      await enter(page, 'Decline a payment: Cleo Demo');
      await expect.poll(() => happened.innerText()).toMatch(/card of Cleo Demo was declined .HTTP 402/);
      await enter(page, 'Advance to the next step: Cleo Demo');
      await expect.poll(() => happened.innerText()).toMatch(/reminder, .* to cleo@example\.com/);
      await expectAccessible(page);
      await tabTo(page, 'Type');
      await page.getByLabel('Type').selectOption('subscription.renewed');
      await enter(page, 'Send the event');
      await expect
        .poll(() => happened.innerText())
        .toMatch(/Events: 1(.|\n)*subscription\.renewed to demo-gateway/);
      await enter(page, 'Sign in: Cleo Demo');
      await expect.poll(() => new URL(page.url()).pathname).toBe('/account');
      expect(await page.locator('main').innerText()).toContain('cleo@example.com');
    });

    test('each person leads to their billing page, mail and checkout, and each operator to the console', async () => {
      const page = await browser.newPage();
      await page.goto(`${stack.url}/_local`);
      await page.getByRole('link', { name: 'Billing page: Ben Demo' }).click();
      await page.waitForURL(/\/billing\//);
      await page.getByRole('link', { name: 'Clock, people, mail' }).click();
      await page.getByRole('link', { name: 'Checkout: Cleo Demo' }).click();
      await page.getByRole('button', { name: /^Pay/ }).click();
      // The checkout returns to the page of the stack.
      await seeHeading(page, 'Vouchsafe');
      expect(await page.getByRole('link', { name: 'Checkout: Cleo Demo' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Open the console: Rita Reviewer' }).click();
      await seeHeading(page, 'Console');
      await page.getByRole('link', { name: 'Clock, people, mail' }).click();
      await page.getByRole('link', { name: 'Mail: Cleo Demo' }).click();
      await seeHeading(page, 'Mailbox');
    });

    test('each page shows the time of the stack', async () => {
      const page = await browser.newPage();
      for (const path of [
        '/',
        '/s',
        '/account',
        '/console/sign-in',
        '/docs',
        '/docs/errors',
        '/nothing',
        '/_local/mailbox',
        '/_local/webhooks',
      ]) {
        await page.goto(stack.url + path);
        const bar = page.getByRole('complementary', { name: 'Local stack' });
        const shown = await bar.locator('time').getAttribute('datetime');
        expect(Math.abs((await stack.now()) - Date.parse(shown ?? '')), path).toBeLessThan(60_000);
        // The policy of the page lets it have its styles.
        const styled = "getComputedStyle(document.querySelector('.local-stack')).textAlign";
        expect(await page.evaluate(styled), path).toBe('center');
      }
    });
  });
});

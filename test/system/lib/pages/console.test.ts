import { enter, expectAccessible, seeHeading } from '../../../support/browser/accessible.ts';
import { hasChromium } from '../../../support/browser/chromium.ts';
import { startPages, typeInto } from '../../../support/browser/stack.ts';

describe.skipIf(!hasChromium)('the console in Chromium (skipped where there is none)', () => {
  const pages = startPages('console-owner');

  test('an operator types a wrong key, signs in to the page that they asked for, and signs out, with the keyboard alone, without JavaScript', async () => {
    const asked = '/console/search?q=console-owner';
    const page = await pages.open(asked, { javaScript: false });
    await seeHeading(page, 'Sign in to the console');
    await typeInto(page, 'Operator key', 'wrong');
    await expect.poll(() => page.getByRole('alert').innerText()).toMatch(/The key is not valid/);
    await expectAccessible(page);
    await pages.signInToConsole(page);
    await seeHeading(page, 'Search');
    expect(page.url()).toBe(pages.world.url + asked);
    expect(await page.getByRole('row').allInnerTexts()).toContainEqual(expect.stringMatching(/User/));
    await enter(page, 'Console');
    await seeHeading(page, 'Console');
    await enter(page, 'Sign out');
    await seeHeading(page, 'Sign in to the console');
    await page.goto(`${pages.world.url}/console`);
    await seeHeading(page, 'Sign in to the console');
  });

  test('the button of the local stack signs in', async () => {
    const page = await pages.open('/_local/console');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Sign in as the demo operator' }).click();
    await seeHeading(page, 'Console');
  });
});

import { addresses } from './bench/pages/addresses.ts';
import { startBrowser } from './support/browser/chromium.ts';
import { newWorld } from './support/browser/world.ts';
import { startServer } from './support/server.ts';

const { child, url } = await startServer({});
const browser = await startBrowser([]);
const only = process.argv[2];
try {
  const world = await newWorld(url, url);
  const page = await browser.newPage({ more: {} });
  page.setDefaultTimeout(60_000);
  await page.goto(`${url}/console`);
  const { operatorKey } = await world.send('GET', '/_local/demo');
  await page.getByLabel('Operator key').fill(operatorKey);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  const listed = { records: 4, pauseMs: 0 };
  for (const [name, of] of Object.entries(addresses)) {
    if (!name.startsWith('/console') || name.includes('sign-in')) continue;
    if (only !== undefined && !new RegExp(only).test(name)) continue;
    const address = await of(world, listed);
    await page.goto(address);
    const file = name.replaceAll(/[^a-z]+/gi, '-');
    for (const width of [320, 768, 1280])
      for (const scheme of ['light', 'dark'] as const) {
        if (scheme === 'dark' && width !== 1280) continue;
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme: scheme });
        const wide = await page.evaluate('document.documentElement.scrollWidth');
        if (Number(wide) > width) console.log('SCROLLS', name, width, wide);
        await page.screenshot({ path: `/tmp/shots/${file}-${width}-${scheme}.png`, fullPage: true });
      }
  }
} finally {
  await browser.close();
  child.kill('SIGTERM');
}

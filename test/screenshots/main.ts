/**
 * npm run screenshots: takes pictures of every page, on a desktop and a phone, light and dark, and lists them in
 * docs/screenshots/README.md. The local stack behind them has a fixed clock and fixed random values, so that a picture changes
 * only when its page does.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startBrowser } from '../support/browser/chromium.ts';
import { newWorld } from '../support/browser/world.ts';
import { startServer } from '../support/server.ts';
import { fixedTime } from './fixed-time.ts';
import { publicUrl, startFront } from './front.ts';
import { takeInvoices } from './invoices.ts';
import { compressed } from './png.ts';
import { type Guide, tours } from './tours.ts';

const directory = join(import.meta.dirname, '../../docs/screenshots');
const devices = { desktop: { width: 1_280, height: 800 }, phone: { width: 390, height: 844 } };
const schemes = ['light', 'dark'] as const;

/** Random values of scripts: the same in each run. The first page of each context draws the same ones. */
const fixedRandom = `{
  let n = 1;
  crypto.getRandomValues = (array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i += 1) {
      n = (Math.imul(n, 1103515245) + 12345) >>> 0;
      bytes[i] = n >>> 16;
    }
    return array;
  };
}`;

const taken: { name: string; title: string }[] = [];

async function take(
  page: Page,
  name: string,
  title: string,
  { part = false }: { part?: boolean } = {},
): Promise<void> {
  taken.push({ name, title });
  // The pictures show the pages as they are deployed.
  await page.evaluate("document.querySelector('.local-stack')?.remove()");
  for (const [device, size] of Object.entries(devices)) {
    await page.setViewportSize(size);
    for (const scheme of schemes) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      // The ring of what has the focus appears a frame after the page.
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      const png = await page.screenshot({ fullPage: !part, animations: 'disabled', caret: 'hide' });
      writeFileSync(join(directory, `${name}-${device}-${scheme}.png`), compressed(png));
    }
  }
}

/** A table with a row for each page. */
function index(): string {
  const cell = (name: string, device: string) =>
    schemes.map((scheme) => `[${scheme}](${name}-${device}-${scheme}.png)`).join(', ');
  const rows = taken.map(
    ({ name, title }) => `| ${title} | ${cell(name, 'desktop')} | ${cell(name, 'phone')} |`,
  );
  return `# Screenshots

\`npm run screenshots\` takes pictures of every page, 1280 pixels wide (desktop) and 390 pixels wide (phone), in light and dark. The
local stack behind them has a fixed clock and fixed random values, so a picture changes only when its page does. Ids of the console can differ. All names and
addresses are invented.

| page | desktop | phone |
|---|---|---|
${rows.join('\n')}
`;
}

mkdirSync(directory, { recursive: true });
for (const file of readdirSync(directory)) if (file.endsWith('.png')) rmSync(join(directory, file));

const { child, url } = await startServer({
  env: { PUBLIC_URL: publicUrl },
  imports: [join(import.meta.dirname, 'fixed.ts')],
});
const front = await startFront(url);
// Letters without colored edges: the picture has fewer colors, and looks the same on every screen.
const browser = await startBrowser([...front.args, '--disable-lcd-text']);
try {
  const guide: Guide = {
    world: await newWorld(url, publicUrl),
    take,
    async newPage() {
      const page = await browser.newPage({ more: { ignoreHTTPSErrors: true } });
      page.setDefaultTimeout(60_000);
      await page.clock.setFixedTime(fixedTime);
      await page.addInitScript(fixedRandom);
      return page;
    },
  };
  for (const tour of tours) await tour(guide, publicUrl);
  writeFileSync(join(directory, 'README.md'), index());
} finally {
  await browser.close();
  front.close();
  child.kill('SIGTERM');
}
process.stdout.write(
  `${await takeInvoices()} pictures in docs/invoices, ${taken.length * Object.keys(devices).length * schemes.length} pictures in docs/screenshots\n`,
);

/** One look for all pages and mails: generated over the sources, and over every page that a route sends. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registeredRoutes } from '../../../../../functions/routes.ts';
import { monospace, palette, sansSerif } from '../../../../../functions/shared/html/theme.ts';
import { call } from '../../../../support/call.ts';
import { samples } from '../../../../support/samples/requests.ts';

const root = join(import.meta.dirname, '../../../../..');
const theme = 'functions/shared/html/theme.ts';
const sources = globSync(['functions/**/*.{ts,tsx}', 'lib/**/*.{ts,tsx}'], { cwd: root })
  .filter((file) => file !== theme && !file.includes('node_modules'))
  .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const);

/** Whether a color is a red, or the pink that stands for it in the dark. */
function isRed(color: string): boolean {
  const digits = color.length < 6 ? color.replaceAll(/[0-9a-f]/gi, '$&$&') : color;
  const [red = 0, green = 0, blue = 0] = (digits.slice(1).match(/../g) ?? []).map((two) =>
    Number.parseInt(two, 16),
  );
  return red > 140 && red - green > 60 && red - blue > 60;
}

/** Colors, fonts and dates that a source writes itself, and not with the theme or the function for dates. */
const deviations: Readonly<Record<string, (text: string) => readonly string[]>> = {
  'another red': (text) => (text.match(/#(?:[0-9a-f]{3}){1,2}\b/gi) ?? []).filter(isRed),
  'another font stack': (text) =>
    (text.match(/font(?:-family)?:[^;}`]*/g) ?? []).filter((rule) =>
      /serif|monospace|system-ui|Segoe|Menlo/.test(
        rule
          .replaceAll(sansSerif, '')
          .replaceAll(monospace, '')
          .replaceAll(/\$\{\w+\}?/g, ''),
      ),
    ),
  'another form of dates': (text) =>
    text.match(/dateStyle|timeStyle|toLocale(?:Date|Time)String|DateTimeFormat\([^)]*\)\.format/g) ?? [],
};

test.each(Object.entries(deviations))('no source has %s', (_, find) => {
  expect(sources.filter(([, text]) => find(text).length > 0).map(([file]) => file)).toEqual([]);
});

/** Texts between tags, without styles, scripts and code. */
const visible = (page: string) =>
  page.replaceAll(/<(style|script|title|code|pre)\b[\s\S]*?<\/\1>|<[^>]*>/g, ' ');

/** A date in figures, or with the month first. */
const foreignDates =
  /\b\d{4}-\d\d-\d\d\b|\b\d{1,2}[/.]\d{1,2}[/.]\d{4}\b|\b[A-Z][a-z]{2,8} \d{1,2}, \d{4}\b/g;

const htmlRoutes = registeredRoutes().filter(({ route }) => route.produces?.startsWith('text/html'));

test.each(htmlRoutes)('$id has the red, the fonts and the dates of all pages', async ({ id }) => {
  const page = (await call(id, (await samples[id]?.()) ?? {})).text;
  // A redirect has no page.
  if (!page.includes('<html')) return;
  for (const find of Object.values(deviations))
    expect(find(page).filter((found) => !palette.alarm.some((red) => red === found))).toEqual([]);
  expect(page).toContain(sansSerif);
  for (const red of palette.alarm) expect(page).toContain(red);
  expect(visible(page).match(foreignDates) ?? []).toEqual([]);
});

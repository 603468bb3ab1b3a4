import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { folders } from '../../.dependency-cruiser.mjs';
import { routes as oauthRoutes } from '../../functions/oauth/routes.ts';
import { SettingsResponse } from '../../functions/shared/accounts/application-settings.ts';
import { defaultSettings } from '../../functions/shared/accounts/default-settings.ts';
import { StageSettings, stageSettings } from '../../lib/deployment/stages.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const markdownFiles = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.md') && !/(^|\/)(node_modules|cdk\.out|\.git|\.local)/.test(file),
);

/** The text without blocks of code, in which brackets and hashes mean something else. */
const prose = (text: string) => text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '');

/** The rows of all tables between two lines, each as its cells; the head and its rule are left out. */
function tableRows(text: string, from: string, to: string): string[][] {
  const start = text.indexOf(from);
  const end = text.indexOf(to, start + from.length);
  if (start < 0 || end < 0) throw new Error(`There is no part from '${from}' to '${to}'`);
  const lines = text.slice(start, end).split('\n');
  return lines
    .filter(
      (line, i) => line.startsWith('|') && !line.startsWith('|---') && !lines[i + 1]?.startsWith('|---'),
    )
    .map((line) =>
      line
        .replace(/^\| ?/, '')
        .replace(/ ?\|$/, '')
        .split(' | ')
        .map((cell) => cell.trim()),
    );
}

/** GitHub's anchor of a heading. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

test('the README has at most 150 lines', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

/** The findings of `find` by file, without files that have none. */
const findings = (find: (file: string) => string[]) =>
  Object.fromEntries(
    markdownFiles.map((file) => [file, find(file)]).filter(([, found = []]) => found.length > 0),
  );

test('every relative link leads to a file, and to a heading where it names one', () => {
  const isBroken = (file: string, target: string) => {
    const [path = '', heading] = target.split('#');
    const linked = path === '' ? file : join(dirname(file), path);
    if (!existsSync(join(root, linked))) return true;
    if (heading === undefined) return false;
    const headings = [...prose(read(linked)).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => anchor(text));
    return !headings.includes(heading);
  };
  const broken = findings((file) =>
    [...prose(read(file)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z]+:/.test(target) && isBroken(file, target)),
  );
  expect(broken).toEqual({});
});

test('every path of the project that the documentation names exists', () => {
  const missing = findings((file) =>
    [...prose(read(file)).matchAll(/`((?:bin|lib|functions|test|docs)\/[\w./-]+)`/g)]
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(join(root, path))),
  );
  expect(missing).toEqual({});
});

test('every page of the documentation is in its index', () => {
  const pages = readdirSync(join(root, 'docs')).filter(
    (file) => file.endsWith('.md') && file !== 'README.md',
  );
  const index = read('docs/README.md');
  expect(pages.filter((page) => !index.includes(`](${page})`))).toEqual([]);
});

test('every package has a reason', () => {
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(read('package.json'));
  const packages = [dependencies, devDependencies, optionalDependencies].flatMap((group) =>
    Object.keys(group),
  );
  const explained = [...read('docs/dependencies.md').matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, cell = '']) =>
    cell.split(', ').map((name) => name.replaceAll('`', '')),
  );
  expect(packages.filter((name) => !explained.includes(name))).toEqual([]);
  expect(explained.filter((name) => !packages.includes(name))).toEqual([]);
});

test('every decision is in the index, under its own title, with its date', () => {
  const records = readdirSync(join(root, 'docs/decisions')).filter((file) => /^\d{4}-/.test(file));
  const expected = records.sort().map((file) => {
    const text = read(`docs/decisions/${file}`);
    const [, n, title] = /^# (\d+)\. (.+)$/m.exec(text) ?? [];
    const [, date] = /^Date: (\d{4}-\d{2}-\d{2})$/m.exec(text) ?? [];
    expect({ file, sections: [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name) }).toEqual({
      file,
      sections: ['Context', 'Decision', 'Consequences'],
    });
    expect(Number(file.slice(0, 4))).toBe(Number(n));
    return [n, `[${title}](${file})`, date];
  });
  expect(tableRows(`${read('docs/decisions/README.md')}\n<end>`, '# Decisions', '<end>')).toEqual(expected);
});

test('the services, the shared folders and their allowed imports are those that dependency-cruiser enforces', () => {
  const rows = tableRows(read('docs/architecture.md'), '<!-- folders:', '<!-- end of folders');
  const shown = rows.map(([folder = '', , imports = '']) => [
    folder.replaceAll('`', ''),
    [...imports.matchAll(/`([\w-]+)`/g)].map(([, name]) => name),
  ]);
  const enforced = (['functions', 'functions/shared'] as const).flatMap((parent) =>
    Object.entries(folders[parent]).map(([name, allowed]) => [`${parent}/${name}`, allowed]),
  );
  expect(shown).toEqual(enforced);
});

test('the settings of a stage are documented, with the values of dev and prod', () => {
  const rows = tableRows(read('docs/settings.md'), '## Settings of a stage', '## Settings of an application');
  const names = Object.keys(StageSettings.shape);
  expect(rows.map(([name]) => name)).toEqual(names.map((name) => `\`${name}\``));
  for (const [name = '', ...shown] of rows) {
    for (const [i, stage] of ['dev', 'prod'].entries()) {
      const value = Object.entries(stageSettings(stage)).find(([key]) => `\`${key}\`` === name)?.[1];
      if (typeof value === 'number') expect(`${name} ${shown[i]}`).toBe(`${name} ${value}`);
      if (typeof value === 'boolean') expect(`${name} ${shown[i]}`).toBe(`${name} \`${value}\``);
      if (value === undefined) expect(`${name} ${shown[i]}`).toBe(`${name} none`);
    }
  }
});

test('the deployment guide has the costs of idle stages that the benchmark computed', () => {
  const rows = tableRows(read('docs/cost.md'), '<!-- bench: idle', '<!-- end of bench');
  const [, , dev, , prod] = rows.find(([line]) => line === 'sum') ?? [];
  for (const [stage, dollars] of Object.entries({ dev, prod }))
    expect(read('docs/deploy.md'), stage).toContain(`costs [${dollars} dollars](cost.md#an-idle-stage)`);
});

interface JsonSchema {
  properties?: Record<string, JsonSchema>;
}

test('the settings of an application are documented, with their defaults', () => {
  const rows = tableRows(`${read('docs/settings.md')}\n<end>`, '## Settings of an application', '<end>');
  const leaves = ({ properties = {} }: JsonSchema, path = ''): string[] =>
    Object.entries(properties).flatMap(([name, schema]) =>
      schema.properties === undefined ? [`${path}${name}`] : leaves(schema, `${path}${name}.`),
    );
  const names = leaves(z.toJSONSchema(SettingsResponse) as JsonSchema);
  expect(rows.map(([name]) => name).sort()).toEqual(names.map((name) => `\`${name}\``).sort());
  for (const [name = '', shown] of rows) {
    const value = name
      .replaceAll('`', '')
      .split('.')
      .reduce<unknown>((settings, key) => (settings as Record<string, unknown>)?.[key], defaultSettings);
    const written = Array.isArray(value) ? `[${value.join(', ')}]` : String(value ?? 'none');
    expect(`${name} ${shown?.replaceAll('`', '')}`).toBe(`${name} ${written}`);
  }
});

/** Whether a cell names one or more tests, by file and full title, and each of them exists. */
function namesTests(cell: string): boolean {
  const named = /^(?:`[^`]+` "[^"]+"(?:; |$))+$/.test(cell);
  const tests = [...cell.matchAll(/`([^`]+)` "([^"]+)"/g)];
  return named && tests.every(([, file = '', title = '']) => hasTest(file, title.replaceAll('\\|', '|')));
}

function hasTest(file: string, title: string): boolean {
  const source = existsSync(join(root, file)) ? read(file) : '';
  return ["'", '"', '`'].some((quote) => source.includes(`${quote}${title}${quote}`));
}

test('each promise of the security page names tests that exist', () => {
  const text = read('docs/security.md');
  const promises = text.slice(text.indexOf('## 3. Promises'), text.indexOf('## 4. '));
  const services = promises.split(/^### /m).slice(1);
  expect(services.length).toBeGreaterThan(0);
  for (const service of services) {
    const rows = tableRows(`### ${service}\n<end>`, '### ', '<end>');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(([promise, how, tests = '']) => !promise || !how || !namesTests(tests))).toEqual([]);
  }
});

test('OAuth security names tests that exist, for every section of RFC 9700 that asks something of a server', () => {
  const rows = [
    ...tableRows(read('docs/oauth-security.md'), '## Section 2', '## Section 4'),
    ...tableRows(read('docs/oauth-security.md'), '## Section 4', '## Clients'),
  ];
  const missing = rows.filter(
    ([, , here = '', named = '']) => !namesTests(named) && !(named === '' && here.includes('**not done.**')),
  );
  expect(missing).toEqual([]);
  const attacks = Array.from({ length: 17 }, (_, i) => `4.${i + 1}`);
  const practices = ['2.1', '2.1.1', '2.1.2', '2.2.1', '2.2.2', '2.3', '2.4', '2.5', '2.6'];
  const sections = new Set(
    rows.flatMap(([section = '']) => [section, section.replace(/^(4\.\d+)\.\d$/, '$1')]),
  );
  expect([...practices, ...attacks].filter((section) => !sections.has(section))).toEqual([]);
});

test('the consent page allows no other origin', () => {
  const { metadata, ...others } = oauthRoutes;
  const open = Object.entries(others).filter(([, route]) => 'cors' in route);
  expect(open.map(([name]) => name)).toEqual(['token', 'revoke']);
  expect(metadata.cors).toBe(true);
});

import { choiceField, facts, reasonField } from '../../../../functions/console/pages/blocks.ts';
import { framed } from '../../../../functions/console/pages/frame.ts';
import type { Section } from '../../../../functions/console/pages/sections.ts';
import { column, list, pager, table } from '../../../../functions/console/pages/table.ts';
import {
  addressesFrom,
  type ConsolePath,
  type Crumbs,
  type Visit,
} from '../../../../functions/console/pages/visit.ts';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { html } from '../../../../functions/shared/html/markup.ts';

const visit = (more: Partial<Visit> = {}): Visit =>
  Object.assign(
    addressesFrom('/console/customers/{applicationId}/{subscriptionId}'),
    {
      operator: { keyId: 'key_1', name: 'Olga', from: '192.0.2.1' },
      scopes: ['support'],
      formToken: 'token',
      path: '/console/customers/app_1/sub_1' as const,
      query: {},
      notice: undefined,
      noticeForm: undefined,
      nowMs: 0,
      sessionEndsAtMs: 0,
    },
    more,
  );

const hostile = '<script>alert(1)</script>"\'';

test('blocks escape every value', () => {
  const own = ({ name }: { name: string }) => name;
  const columns = [
    column.text('Name', own),
    column.text(hostile, () => hostile),
    column.link(hostile, own, () => html`${hostile}`),
    column.id(hostile, own),
    column.status(hostile, own),
  ];
  const blocks = [
    table(hostile, [{ name: hostile }], columns, ''),
    table('', [], columns, `No ${hostile}.`),
    list(
      visit({ query: { sort: hostile } }),
      hostile,
      { items: [{ name: hostile }, { name: 'b' }] },
      columns,
      '',
    ),
    choiceField(hostile, hostile, { choices: [[hostile, hostile]], value: hostile }),
    facts([[hostile, hostile]]),
    pager(visit({ query: { q: hostile } }), hostile),
    framed({ title: hostile, content: html`` }, visit({ notice: hostile })).content,
  ];
  for (const { markup } of blocks) {
    expect(markup).not.toContain('<script');
    expect(markup).toMatch(/script/);
  }
});

test('a fact without a value is left out', () => {
  expect(facts([['Paused', undefined]]).markup).toBe('<dl class="facts"></dl>');
});

test('the pager keeps the filters, and leads to the next and the first page', () => {
  const links = (query: Visit['query'], next?: string) =>
    [...pager(visit({ query }), next).markup.matchAll(/href="([^"]+)">([^<]+)/g)].map(([, href, text]) => [
      href,
      text,
    ]);
  const own = '../../../console/customers/app_1/sub_1';
  expect(links({ status: 'active' })).toEqual([]);
  expect(links({ status: 'active' }, 'n1')).toEqual([[`${own}?status=active&amp;cursor=n1`, 'Next page']]);
  expect(links({ status: 'active', cursor: 'n1' }, 'n2')).toEqual([
    [`${own}?status=active`, 'First page'],
    [`${own}?status=active&amp;cursor=n2`, 'Next page'],
  ]);
});

test('a reason is required', () => {
  expect(reasonField('cancel-reason').markup).toMatch(
    /<label for="cancel-reason">Reason<\/label><input id="cancel-reason" name="reason" [^>]*required/,
  );
});

test('the header has the sections that the scopes allow, and marks the one of the page', () => {
  const sections: readonly Section[] = [
    { title: 'Reviews', path: '/console/reviews', scope: 'review' },
    { title: 'Customers', path: '/console/customers', scope: 'support' },
  ];
  const titles = (scopes: readonly string[]) =>
    [
      ...(
        framed({ title: '', content: html`` }, visit({ scopes, path: '/console' }), sections).navigation
          ?.markup ?? ''
      ).matchAll(/<li><a [^>]*>([^<]+)/g),
    ].map(([, title]) => title);
  expect(titles(['support'])).toEqual(['Console', 'Customers']);
  expect(titles(['review'])).toEqual(['Console', 'Reviews']);
  expect(titles(['admin'])).toEqual(['Console', 'Reviews', 'Customers']);
  const { navigation } = framed({ title: '', content: html`` }, visit(), sections);
  expect(navigation?.markup.match(/<a [^>]*aria-current="page">[^<]+/g)).toEqual([
    expect.stringMatching(/>Customers$/),
  ]);
});

test('a page says what it is within, by its path and by the names that it knows', () => {
  const trail = (path: ConsolePath, crumbs: Crumbs = {}, query: Visit['query'] = {}) => {
    const asked = Object.assign(visit({ path, query }), addressesFrom('/console'));
    const { markup } = framed({ title: 'Own', content: html``, crumbs }, asked).navigation ?? html``;
    const [, list = ''] = /aria-label="Breadcrumb"><ol>(.*)<\/ol>/.exec(markup) ?? [];
    return [...list.matchAll(/<li>(?:<a href="([^"]*)")?.*?>([^<>]+)</g)].map(([, href, name]) => [
      href,
      name,
    ]);
  };
  const home = ['console', 'Console'];
  const customers = ['console/customers', 'Customers'];
  expect(trail('/console')).toEqual([]);
  expect(trail('/console/audit')).toEqual([home, [undefined, 'Own']]);
  expect(trail('/console/customers', {}, { application: 'app_1' })).toEqual([
    home,
    customers,
    [undefined, 'Own'],
  ]);
  const named = {
    '/console/customers?application=app_1': 'Acme',
    '/console/customers/app_1/clients/7': 'Ann',
  };
  expect(trail('/console/customers/app_1/sub_1', named)).toEqual([
    home,
    customers,
    ['console/customers?application=app_1', 'Acme'],
    ['console/customers/app_1/clients/7', 'Ann'],
    [undefined, 'Own'],
  ]);
  expect(trail('/console/money/app_1/statements/st_1')).toEqual([
    home,
    ['console/money', 'Money'],
    ['console/money/app_1', 'app_1'],
    ['console/money/app_1/statements', 'Bank statements'],
    [undefined, 'Own'],
  ]);
});

test('a list is sorted by a column that a person chooses, and says so where it is a part', () => {
  const columns = [
    column.text('Name', ({ name }: { name: string; atMs: number }) => name),
    column.time('Created', ({ atMs }: { name: string; atMs: number }) => atMs),
  ];
  const items = [
    { name: 'b', atMs: 2 },
    { name: 'C', atMs: 10 },
    { name: 'a', atMs: 1 },
  ];
  const shown = (query: Visit['query'], nextCursor?: string) => {
    const { markup } = list(visit({ query }), 'Things', { items, ...defined({ nextCursor }) }, columns, '');
    const names = [...markup.matchAll(/scope="row" dir="auto">(\w)/g)].map(([, name]) => name).join('');
    return [
      names,
      /aria-sort="(\w+)"><a href="[^"]*\?([^"]*)"/.exec(markup)?.slice(1),
      markup.includes('within this page'),
    ];
  };
  expect(shown({})).toEqual(['bCa', undefined, false]);
  expect(shown({ sort: 'name' })).toEqual(['abC', ['ascending', 'sort=-name'], false]);
  expect(shown({ sort: '-created' }, 'n1')).toEqual(['Cba', ['descending', 'sort=created'], true]);
  expect(shown({ sort: 'created', cursor: 'n1' })).toEqual([
    'abC',
    ['ascending', 'sort=-created&amp;cursor=n1'],
    true,
  ]);
  expect(shown({ sort: 'constructor' })).toEqual(['bCa', undefined, false]);
});

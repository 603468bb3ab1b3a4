import { expect, test } from 'vitest';
import { choiceField, facts, pager, reasonField, table } from '../../../../functions/console/pages/blocks.ts';
import { framed } from '../../../../functions/console/pages/frame.ts';
import { addressesFrom } from '../../../../functions/console/pages/path.ts';
import type { Section } from '../../../../functions/console/pages/sections.ts';
import type { Visit } from '../../../../functions/console/pages/visit.ts';
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
  const columns = [
    { title: 'Name', cell: ({ name }: { name: string }) => name },
    { title: hostile, cell: () => hostile },
  ];
  const blocks = [
    table(hostile, { columns, rows: [{ name: hostile }], empty: '' }),
    table('', { columns, rows: [], empty: `No ${hostile}.` }),
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
        framed({ title: '', content: html`` }, visit({ scopes }), sections).navigation?.markup ?? ''
      ).matchAll(/<li><a [^>]*>([^<]+)/g),
    ].map(([, title]) => title);
  expect(titles(['support'])).toEqual(['Console', 'Customers']);
  expect(titles(['review'])).toEqual(['Console', 'Reviews']);
  expect(titles(['admin'])).toEqual(['Console', 'Reviews', 'Customers']);
  const { navigation } = framed({ title: '', content: html`` }, visit(), sections);
  expect(navigation?.markup.match(/aria-current="page">[^<]+/g)).toEqual(['aria-current="page">Customers']);
});

import { kindNames, recordPages, sections } from '../../../../functions/console/pages/sections.ts';
import { addressesFrom, type Visit } from '../../../../functions/console/pages/visit.ts';
import { searchPage } from '../../../../functions/console/search.ts';
import { SearchHit } from '../../../../functions/operator/search/schemas.ts';
import { registeredRoutes } from '../../../../functions/routes.ts';
import { newTenant, newUser } from '../../../support/call.ts';
import { signedIn } from '../../../support/samples/console.ts';
import { browse } from '../../../support/samples/forms.ts';

const search = async (query: Record<string, string>, ...scopes: Parameters<typeof signedIn>) =>
  browse('console.search', { headers: await signedIn(...scopes), query });

test('the search shows the records that the scopes of the key cover', async () => {
  const { userId, email } = await newUser({ name: '<b>Ann</b>' });
  const found = await search({ q: ` ${email.toUpperCase()} ` }, 'support');
  expect(found.status).toBe(200);
  expect(found.text).toContain('&lt;b&gt;Ann&lt;/b&gt;');
  expect(found.text).toContain(`<span class="id">${userId}</span>`);
  const refused = await search({ q: email }, 'finance');
  expect(refused.text).toContain('No results. Records outside the scopes of your key are not searched.');
  expect(refused.text).not.toContain('class="id"');
});

test('the search finds the records of one application, when one is named', async () => {
  const [own, other] = await Promise.all([newTenant(), newTenant()]);
  const { applicationId } = own;
  const both = await search({ q: applicationId, application: other.applicationId }, 'support');
  expect(both.text).not.toContain('Example App');
  const one = await search({ q: applicationId, application: applicationId }, 'support');
  expect(one.text).toContain('Example App');
});

test.each([
  ['nothing', { q: '', application: '' }, 200],
  ['blanks', { q: '  ' }, 200],
  ['a wildcard', { q: '*' }, 200],
  ['half an id', { q: 'sub_01M8' }, 200],
  ['markup', { q: '"><script>' }, 200],
  ['what is no application', { q: 'a', application: '"><script>' }, 400],
])('a search for %s shows no record and no markup', async (_, query, status) => {
  const response = await search(query);
  expect(response.status).toBe(status);
  expect(response.text).not.toMatch(/<script|<tbody><tr><th scope="row" dir="auto"><a/);
  expect(response.text).not.toContain('<caption>');
});

/** A record of each kind, with ids that name themselves. */
const hits = SearchHit.def.options.map(({ shape }): [kind: string, hit: unknown] => {
  const ids = Object.keys(shape).filter((name) => /id$/i.test(name));
  const hit = Object.fromEntries(ids.map((name) => [name, `own/${name}`]));
  const kind = [...shape.kind.def.values][0] ?? '';
  return [kind, Object.assign(hit, { kind, title: 'A record', summary: 'active' })];
});

const visit: Visit = Object.assign(addressesFrom('/console/search'), {
  operator: { keyId: 'key_1', name: 'Olga', from: '192.0.2.1' },
  scopes: ['admin'],
  formToken: 'token',
  path: '/console/search' as const,
  query: {},
  notice: undefined,
  noticeForm: undefined,
  nowMs: 0,
  sessionEndsAtMs: 0,
});

test.each(hits)('a %s is shown with its id, and links to its page where there is one', (kind, value) => {
  const hit = SearchHit.parse(value);
  const shown = (pages: typeof recordPages) => searchPage(visit, [hit], pages).markup;
  expect(shown({})).toContain('<span class="id">own/id</span>');
  expect(shown({})).toContain(`>${kindNames[hit.kind]}<`);
  expect(shown({})).not.toContain('<a ');
  expect(shown({ [kind]: '/console/things/{id}' })).toContain(
    '<a href="../console/things/own%2Fid">A record</a>',
  );
});

test('every section and every page of a kind of record is a page of the registry', () => {
  const pages = registeredRoutes().flatMap(({ route }) =>
    route.method === 'GET' ? [String(route.path)] : [],
  );
  const linked = [...sections.map(({ path }) => path), ...Object.values(recordPages)];
  const form = (path: string) => path.replace(/\?.*/, '').replaceAll(/\{\w+\}/g, '{}');
  expect(linked.filter((path) => !pages.map(form).includes(form(path)))).toEqual([]);
});

import { registeredRoutes } from '../../../../functions/routes.ts';
import { authGrants } from '../../../../functions/shared/contract/grants.ts';
import { stageSettings } from '../../../../lib/deployment/stages.ts';
import { callersOf, securityTables } from '../../../bench/cost/security-tables.ts';
import type { Figures } from '../../../bench/figures/figures.ts';

/** Without counted requests: each row is that of a request without the table. */
const figures: Pick<Figures, 'requests'> = { requests: [] };
const { strangers } = securityTables(figures);
const { columns, rows } = strangers;
const rowOf = (id: string) => rows.find(([endpoint]) => endpoint === `\`${id}\``) ?? [];
const cell = (id: string, column: string) => rowOf(id)[columns.indexOf(column)];
const perSecond = (id: string) => number(cell(id, 'requests a day')) / 86_400;
const number = (text: unknown) => Number(String(text).replaceAll(',', ''));

test('every authentication method is one of strangers, or named as one of key holders', () => {
  expect(Object.keys(callersOf).toSorted()).toEqual(Object.keys(authGrants).toSorted());
  const closed = Object.entries(callersOf).filter(([, callers]) => callers !== 'anyone');
  expect(Object.fromEntries(closed)).toEqual({
    links: 'applications',
    apiKey: 'applications',
    application: 'applications',
    seller: 'applications',
    operator: 'operators',
    anyOperator: 'operators',
  });
});

test('every endpoint that needs no key has a row, and no other', () => {
  const keyed = ['links', 'apiKey', 'application', 'seller', 'operator', 'anyOperator'];
  const open = registeredRoutes().filter(({ route }) => !keyed.includes(route.auth));
  expect(open.map(({ id }) => id)).toContain('devices.check');
  expect(rows.map(([endpoint]) => endpoint).toSorted()).toEqual(open.map(({ id }) => `\`${id}\``).toSorted());
});

test('no row exceeds the throttle of its method, the rates of AWS WAF or the limit of the route', () => {
  const { throttling } = stageSettings('prod');
  for (const { id, route } of registeredRoutes().filter(({ id }) => rowOf(id).length > 0)) {
    expect(perSecond(id), id).toBeLessThanOrEqual(throttling.ratePerSecond / 10);
    if (route.throttle)
      expect(perSecond(id), id).toBeLessThanOrEqual(Math.min(10, route.throttle.ratePerSecond));
    if (route.limit) {
      expect(perSecond(id), id).toBeLessThanOrEqual(route.limit.max / (route.limit.windowMs / 1_000));
    }
  }
  expect(perSecond('oauth.metadata')).toBe(200);
  expect(perSecond('reference.page')).toBe(10);
});

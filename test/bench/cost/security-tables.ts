import { type Registered, registeredRoutes } from '../../../functions/routes.ts';
import type { Auth } from '../../../functions/shared/contract/callers.ts';
import { defaultMaxBodyBytes, type Limit } from '../../../functions/shared/contract/route.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../functions/shared/runtime/clock.ts';
import { shareByteLimit } from '../../../functions/shares/routes.ts';
import { minCountedBytes } from '../../../functions/shares/share.ts';
import { vaultByteLimit } from '../../../functions/vault/routes.ts';
import { referenceFiles } from '../../../lib/deployment/bundling/deployed-files.ts';
import {
  addressLimit,
  limitedPaths,
  throttledAddressLimit,
  windowSeconds,
} from '../../../lib/deployment/constructs/web-firewall.ts';
import { throttledMethods } from '../../../lib/deployment/gateway/throttles.ts';
import { stageSettings } from '../../../lib/deployment/stages.ts';
import { pathsOf } from '../../../lib/openapi/paths.ts';
import type { Figures, RequestFigures } from '../figures/figures.ts';
import { grouped, type Table } from '../figures/table.ts';
import { requestDollars } from './cost-tables.ts';
import { prices } from './prices.ts';

const bytesPerGigabyte = 1024 ** 3;
const stage = stageSettings('prod');

/** How often one address can make a request, and why not more often. */
interface Bound {
  text: string;
  perDay: number;
}

/** The tables of `docs/security-costs.md`, by name. */
export function securityTables(figures: Pick<Figures, 'requests'>) {
  return { strangers: strangersTable(figures), refusals: refusalsTable() };
}

/** Who can call the endpoints of an authentication method. A method that is missing here does not compile. */
export const callersOf: Readonly<Record<Auth, 'anyone' | 'applications' | 'operators'>> = {
  none: 'anyone',
  device: 'anyone',
  // Where `deviceManagementProof` is off.
  management: 'anyone',
  // Where `enrolment` is `open`, anyone can enrol.
  proof: 'anyone',
  links: 'applications',
  apiKey: 'applications',
  application: 'applications',
  seller: 'applications',
  operator: 'operators',
  anyOperator: 'operators',
};

/** Whether a stranger can call an endpoint. */
const isOpen = ({ route }: Registered): boolean => callersOf[route.auth] === 'anyone';

/** The costliest request of each endpoint, the costliest endpoint first. */
function strangersTable({ requests }: Pick<Figures, 'requests'>): Table {
  const rows = registeredRoutes()
    .filter(isOpen)
    .map((entry) =>
      worst(
        entry,
        requests.filter(({ id, what }) => id === entry.id && canRequest(id, what)),
      ),
    )
    .sort((a, b) => b.dollars - a.dollars);
  return {
    columns: [
      ...['endpoint', 'request', 'write units', 'read units', 'mails', 'bytes in', 'bytes out'],
      ...['one address is bounded by', 'requests a day', 'dollars a day', 'many addresses, dollars an hour'],
    ],
    rows: rows.map(({ entry, one, bound, dollars, dollarsAnHourOfAll }) => [
      ...[`\`${entry.id}\``, one.what, grouped(one.writeUnits, 1), grouped(one.readUnits, 1), one.mails],
      ...[grouped(bytesIn(entry)), grouped(one.bytesOut), bound.text],
      ...[grouped(Math.floor(bound.perDay)), grouped(dollars, 2), grouped(dollarsAnHourOfAll, 2)],
    ]),
  };
}

const canRequest = (id: string, what: string) =>
  (ofStrangers[id] ?? (needsSession(id) || id in uncounted ? [] : [what])).includes(what);

/** A stranger has no session of the console: its pages refuse them. */
const needsSession = (id: string) => id.startsWith('console');

/** The counted requests that a stranger can make, of endpoints that others can make as well. */
const ofStrangers: Readonly<Record<string, readonly string[]>> = {
  'oauth.consent-show': ['a stranger'],
  'oauth.consent-submit': ['send', 'sign in', 'deny'],
  'account.show': ['a stranger'],
  'account.submit': ['send', 'sign in'],
  'console.home': ['a stranger'],
  'console.sign-in-submit': ['a wrong key'],
};

function worst(entry: Registered, counted: readonly RequestFigures[]) {
  const cases = (counted.length > 0 ? counted : [withoutTable(entry.id)]).map((one) => {
    const bound = boundOf(entry, one);
    const transfer = (one.bytesOut / bytesPerGigabyte) * prices.transferredGigabyte;
    const each = requestDollars(one).reduce((sum, cost) => sum + cost, transfer);
    return { entry, one, bound, each, dollars: bound.perDay * each };
  });
  // Many addresses are bounded by the throttle alone: their costliest request may be another one.
  const { ratePerSecond } = entry.route.throttle ?? stage.throttling;
  const dearest = Math.max(...cases.map(({ each }) => each));
  const worstOfOne = cases.reduce((a, b) => (b.dollars > a.dollars ? b : a));
  return { ...worstOfOne, dollarsAnHourOfAll: ratePerSecond * (hourMs / secondMs) * dearest };
}

/** The request of a stranger to an endpoint without a counted case for it: a file, a constant, or a refusal. */
function withoutTable(id: string): RequestFigures {
  const any: Uncounted = needsSession(id)
    ? { what: 'without a session', bytesOut: 400 }
    : { what: 'any', bytesOut: fileBytes(id) };
  const { what, bytesOut, readUnits = 0 } = uncounted[id] ?? any;
  return { id, what, roundTrips: readUnits, mails: 0, starts: 0, readUnits, writeUnits: 0, bytesOut };
}

interface Uncounted {
  what: string;
  bytesOut: number;
  readUnits?: number;
}

/** A webhook looks up the application, whose id has to be right. */
const uncounted: Readonly<Record<string, Uncounted>> = {
  'oauth.metadata': { what: 'any', bytesOut: 1_000 },
  'reference.security-txt': { what: 'any', bytesOut: 300 },
  'reference.home': { what: 'the page', bytesOut: 8_000 },
  'console.sign-in-show': { what: 'any', bytesOut: 7_000 },
  'shares.create-page': { what: 'any', bytesOut: 9_000 },
  'shares.open-page': { what: 'any', bytesOut: 9_000 },
  'shares.page-script': { what: 'the package', bytesOut: 170_000 },
  'payments.checkout-show': { what: 'without a link', bytesOut: 4_000 },
  'payments.checkout-submit': { what: 'without a link', bytesOut: 4_000 },
  'portal.show': { what: 'without a link', bytesOut: 6_000 },
  'portal.submit': { what: 'without a link', bytesOut: 6_000 },
  'portal.invoice': { what: 'without a link', bytesOut: 6_000 },
  'payments.stripe-webhook': { what: 'without a signature', bytesOut: 200, readUnits: 1 },
};

const files = await referenceFiles();
const largestGroup = Object.values<string>(JSON.parse(files['docs.json'])).reduce((a, b) =>
  b.length > a.length ? b : a,
);

const textOf: Readonly<Record<string, string>> = {
  'reference.document': files['openapi.json'],
  'reference.page': files['docs.html'],
  'reference.group': largestGroup,
};

/** The size of the file that an endpoint returns. It is rounded up, so that few changes of a text change the table. */
function fileBytes(id: string): number {
  const step = 50_000;
  return Math.ceil(Buffer.byteLength(textOf[id] ?? '') / step) * step;
}

const bytesIn = ({ route }: Registered) =>
  route.body === undefined ? 0 : (route.maxBodyBytes ?? defaultMaxBodyBytes);

/** The limits that endpoints apply themselves, by endpoint or by request. */
const ownLimits: Readonly<Record<string, Pick<Limit, 'max' | 'windowMs'>>> = {
  'oauth.consent-submit send': { max: 3, windowMs: minuteMs },
  'oauth.consent-submit sign in': { max: 10, windowMs: minuteMs },
  'account.submit send': { max: 3, windowMs: minuteMs },
  'account.submit sign in': { max: 10, windowMs: minuteMs },
  'oauth.token': { max: stage.applicationRequestsPerSecond, windowMs: secondMs },
  'oauth.revoke': { max: stage.applicationRequestsPerSecond, windowMs: secondMs },
};

/** Characters of `data_blob` by the size in the name of a case. */
const ciphertextBytes: Readonly<Record<string, number>> = {
  small: 268,
  '100 KiB': 136_536,
  '1 MiB': 1_398_104,
  '3 MiB': 4_194_304,
};

/** The lowest of the limits that hold for an address: those of the endpoint, its throttle, and the rates of AWS WAF. */
function boundOf({ id, route }: Registered, one: RequestFigures): Bound {
  const limit = route.limit ?? ownLimits[`${id} ${one.what}`] ?? ownLimits[id];
  return [limit && requestBound(limit), byteBound(id, one), throttleBound(route)]
    .filter((bound) => bound !== undefined)
    .reduce((a, b) => (b.perDay < a.perDay ? b : a), firewallBound(route));
}

function throttleBound({ throttle }: Registered['route']): Bound | undefined {
  return throttle && perSecondBound('its throttle', throttle.ratePerSecond);
}

/** The requests that AWS WAF allows one address: at all, at throttled paths together, and at paths with a rate of their own. */
function firewallBound(route: Registered['route']): Bound {
  const throttled = throttledMethods(registeredRoutes()).map(({ path }) => path);
  const rules = [
    { parts: throttled, limit: throttledAddressLimit },
    ...limitedPaths.map(({ path, limit }) => ({ parts: [path], limit })),
  ];
  // A rule inspects what a path contains. It does not bound a route that has another path as well.
  const limits = rules
    .filter(({ parts }) => pathsOf(route).every((path) => parts.some((part) => path.includes(part))))
    .map(({ limit }) => limit);
  return perSecondBound('AWS WAF', Math.min(addressLimit(stage), ...limits) / windowSeconds);
}

const perSecondBound = (by: string, perSecond: number): Bound => ({
  text: `${by}, ${grouped(perSecond, Number.isInteger(perSecond) ? 0 : 2)} a second`,
  perDay: perSecond * (dayMs / secondMs),
});

function requestBound({ max, windowMs }: Pick<Limit, 'max' | 'windowMs'>): Bound {
  const unit = windowMs === minuteMs ? 'minute' : `${windowMs / secondMs} s`;
  return { text: `${max} a ${unit}`.replace('a 1 s', 'a second'), perDay: max * (dayMs / windowMs) };
}

function byteBound(id: string, { what, bytesOut }: RequestFigures): Bound | undefined {
  const perDay = (maxBytes: number, bytes: number) => (dayMs / hourMs) * (maxBytes / bytes);
  const text = (maxBytes: number) => `${grouped(maxBytes / 1_000_000)} MB an hour`;
  // A share that opens once, or is burned, has to be created each time.
  const created = requestBound({ max: 5, windowMs: minuteMs });
  if (id === 'shares.burn' || (id === 'shares.open' && what.startsWith('once')))
    return { text: 'its creation, 5 a minute', perDay: created.perDay };
  if (id === 'shares.open') {
    const { maxBytes } = shareByteLimit;
    return { text: text(maxBytes), perDay: perDay(maxBytes, Math.max(bytesOut, minCountedBytes)) };
  }
  if (id === 'vault.write') {
    const { maxBytes } = vaultByteLimit;
    // A small vault that replaces a large one needs the write of the large one, which counts.
    const size = what.match(/small|\d+ [KM]iB/g)?.at(-1) ?? 'small';
    return { text: text(maxBytes), perDay: perDay(maxBytes, ciphertextBytes[size] ?? 1) };
  }
  return undefined;
}

/** Requests that are refused before they cost anything else. AWS WAF bounds them for an address. */
function refusalsTable(): Table {
  const perSecond = addressLimit(stage) / windowSeconds;
  const invoked = prices.apiCall + prices.invocation + 0.005 * prices.gigabyteSecond;
  const rows: [string, number][] = [
    ['an unknown path, another method, a preflight: API Gateway alone', prices.apiCall + logged(700)],
    ['a refusal that the function remembers (429), a malformed request', invoked + logged(2_000)],
    ['a refusal that the table counts', invoked + logged(2_000) + prices.writeUnit],
  ];
  return {
    columns: ['request', 'a million', `a day at ${grouped(perSecond)} a second`],
    rows: rows.map(([what, each]) => [
      what,
      grouped(each * 1_000_000, 2),
      grouped(each * perSecond * (dayMs / secondMs), 2),
    ]),
  };
}

const logged = (bytes: number) => (bytes / bytesPerGigabyte) * prices.logIngestedGigabyte;

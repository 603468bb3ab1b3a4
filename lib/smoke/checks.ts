import { isDeepStrictEqual } from 'node:util';
import { errorBody, errorTable, gatewayErrors } from '../../functions/shared/contract/errors.ts';
import { alwaysHeaders, jsonType } from '../../functions/shared/contract/headers.ts';
import { isReadableInTransit } from '../operator/address.ts';
import { NoAnswer, type ReceivedResponse } from './exchange.ts';
import { acceptsTls, request, type Target } from './target.ts';

/** The finding of a check: nothing when it passes. */
type Findings = string[];

/** The outcome of a check that does not apply, by its reason. */
export class Skipped extends Error {}

/** Vouchsafe is not at the address. The other checks would fail for this reason, and say nothing more. */
export class Absent extends Error {}

export interface Check {
  readonly name: string;
  /** The next action after a failure. */
  readonly next: string;
  /** Whether it sends the operator key. Only a server that passed the first check gets it. */
  readonly sendsKey?: true;
  /** @throws Skipped, Absent, or Error with the reason of a failure. */
  run(target: Target): Promise<Findings>;
}

/** Ciphertext that no key opens: 24 bytes, and an IV of 12. */
const share = {
  data_blob: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJ',
  iv: 'AAECAwQFBgcICQoL',
  one_time: true,
  expires_in_hours: 1,
};

const logs =
  'Look for the request id in the access log, and for the audit id in the log of the function (docs/errors.md).';
const gateway = 'Deploy again: npm run deploy. The REST API serves another definition than this release.';

/** Endpoints that need an API key. One of each service and of each method, so that a route that is not deployed is found. */
const ofApplications = [
  ['GET', '/api/v1/events'],
  ['GET', '/api/v1/webhooks'],
  ['GET', '/api/v1/subscriptions'],
  ['PATCH', '/api/v1/subscriptions/sub_none'],
  ['POST', '/api/v1/subscriptions/sub_none/change'],
  ['POST', '/api/v1/subscriptions/sub_none/change/preview'],
  ['GET', '/api/v1/credit-notes/crn_none'],
  ['GET', '/api/v1/credit-notes'],
  ['POST', '/api/v1/invoices/inv_none/credit-notes'],
  ['GET', '/api/v1/journal'],
  ['GET', '/api/v1/invoices'],
  ['GET', '/api/v1/clients'],
  ['GET', '/api/v1/payments'],
  ['POST', '/api/v1/payments'],
  ['POST', '/api/v1/payments/pay_none/apply'],
  ['POST', '/api/v1/payments/pay_none/return'],
  ['GET', '/api/v1/bank-statements/stm_none'],
  ['POST', '/api/v1/bank-statements'],
  ['POST', '/api/v1/bank-statements/stm_none/confirm'],
  ['GET', '/api/v1/reports/revenue'],
  ['GET', '/api/v1/reports/tax'],
  ['GET', '/api/v1/reports/receivables'],
] as const;

/** The checks, in their order. */
export const checks: readonly Check[] = [
  {
    name: 'GET /openapi.json returns the document of the API',
    next: 'Start the local stack, or compare the address with the output Url of the stack. It ends with the stage unless the stage has a domain.',
    run: async (target) => {
      const answer = await request(target, 'GET', '/openapi.json').catch((error: unknown) => {
        throw error instanceof NoAnswer ? new Absent(error.message) : error;
      });
      const { openapi, info } = (answer.json ?? {}) as { openapi?: unknown; info?: { title?: unknown } };
      const isDocument = info?.title === 'Vouchsafe';
      if (!isDocument && !Object.values(gatewayErrors).some((row) => hasBody(answer, row))) {
        const status = expectStatus(answer, 200);
        throw new Absent(['the server at this address is not Vouchsafe', ...status].join('; '));
      }
      return [
        ...expectStatus(answer, 200),
        ...expect(typeof openapi === 'string' && openapi.startsWith('3.1'), `openapi is '${openapi}'`),
      ];
    },
  },
  {
    name: 'GET /docs returns the reference',
    next: logs,
    run: async (target) => {
      const answer = await request(target, 'GET', '/docs');
      return [
        ...expectStatus(answer, 200),
        ...expectHeader(answer, 'content-type', 'text/html; charset=utf-8'),
        ...expectHeader(answer, 'x-frame-options', 'DENY'),
      ];
    },
  },
  {
    name: 'pages are served to browsers, and the share page finds its script',
    next: logs,
    run: async (target) => {
      const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
      const pages = await Promise.all(
        ['/', '/s', '/account'].map((path) => request(target, 'GET', path, { headers: { accept } })),
      );
      const [, script] = /<script type="module" src="([^"]+)"/.exec(pages[1]?.text ?? '') ?? [];
      return [
        ...pages.flatMap((page) => [
          ...expectStatus(page, 200),
          ...expectHeader(page, 'content-type', 'text/html; charset=utf-8'),
          ...expectHeader(page, 'x-frame-options', 'DENY'),
        ]),
        ...(script === undefined ? ['the share page names no script'] : await scriptProblems(target, script)),
      ];
    },
  },
  {
    name: 'a one-time share is stored, opens once, and is gone',
    next: `The functions cannot use the table, or another client opened the share. ${logs}`,
    run: async (target) => {
      const stored = await request(target, 'POST', '/api/share', { body: share });
      const id = stored.json?.shareId;
      if (stored.status !== 200) return expectStatus(stored, 200);
      if (typeof id !== 'string' || id === '') return ['no shareId in the response instead of one'];
      const path = `/api/share?id=${encodeURIComponent(id)}`;
      const opened = await request(target, 'GET', path);
      const again = await request(target, 'GET', path);
      return [
        ...expectStatus(opened, 200),
        ...expect(
          opened.json?.data_blob === share.data_blob && opened.json.iv === share.iv,
          'the share has another content',
        ),
        ...expectError(again, errorTable.share_gone),
      ];
    },
  },
  {
    name: 'an invalid request gets the error of the contract',
    next: logs,
    run: async (target) =>
      expectError(await request(target, 'POST', '/api/share', { body: {} }), errorTable.share_invalid),
  },
  {
    name: 'what belongs to applications is refused without credentials',
    next: `${gateway} ${logs}`,
    run: async (target) => {
      const answers = await Promise.all(
        ofApplications.map(async ([method, path]) => ({
          path: `${method} ${path}`,
          answer: await request(target, method, path, method === 'GET' ? {} : { body: {} }),
        })),
      );
      return answers.flatMap(({ path, answer }) =>
        [
          ...expectError(answer, errorTable.invalid_token),
          ...expectHeader(answer, 'www-authenticate', errorTable.invalid_token.challenge),
        ].map((finding) => `${path}: ${finding}`),
      );
    },
  },
  {
    name: 'an unknown path gets 404',
    next: gateway,
    run: async (target) =>
      expectError(await request(target, 'GET', '/no-such-path'), gatewayErrors.not_found),
  },
  {
    name: 'another method gets 405 with Allow',
    next: gateway,
    run: async (target) => {
      const answer = await request(target, 'PUT', '/api/share');
      const allowed = (answer.headers.get('allow') ?? '').split(/, ?/);
      const missing = ['GET', 'POST', 'DELETE'].filter((method) => !allowed.includes(method));
      return [
        ...expectError(answer, gatewayErrors.method_not_allowed),
        ...expect(missing.length === 0, `Allow lacks ${missing.join(', ')}`),
      ];
    },
  },
  {
    name: 'responses have the headers of the contract',
    next: 'Something between the client and the API changes headers: a proxy, a CDN or a web ACL.',
    run: async (target) => {
      const answer = await request(target, 'GET', '/api/share?id=unknown');
      const expected = Object.entries({ ...alwaysHeaders, 'content-type': jsonType });
      return [
        ...expected.flatMap(([name, value]) => expectHeader(answer, name, value)),
        ...expect(answer.headers.has('x-request-id'), 'x-request-id is missing'),
      ];
    },
  },
  {
    name: 'TLS 1.3 is accepted and TLS 1.2 is refused',
    next: 'Something in front of the API ends TLS, or its security policy was changed (lib/deployment/stacks/gateway-stack.ts).',
    run: async ({ url }) => {
      const address = new URL(url);
      if (isReadableInTransit(url)) return ['the address is not https'];
      if (address.protocol === 'http:') throw new Skipped(`${address.hostname} is served without TLS`);
      return [
        ...expect(await acceptsTls(address, 'TLSv1.3'), 'TLS 1.3 is refused'),
        ...expect(!(await acceptsTls(address, 'TLSv1.2')), 'TLS 1.2 is accepted'),
      ];
    },
  },
  {
    name: 'the operator key is accepted',
    next: 'Create a key with: npm run -s operator -- bootstrap --table <table> --name <person>.',
    sendsKey: true,
    run: async (target) => {
      const { operatorKey } = target;
      if (operatorKey === undefined) throw new Skipped('run with --operator-key to check it');
      const headers = { authorization: `Bearer ${operatorKey}` };
      // A key that is refused gets 401 before the application is looked up.
      const answer = await request(target, 'GET', '/api/operator/applications/app_none', { headers });
      return expectError(answer, errorTable.not_found);
    },
  },
];

type ErrorRow = Parameters<typeof errorBody>[0] & { status: number };

const expect = (isTrue: boolean, finding: string): Findings => (isTrue ? [] : [finding]);

/** The page names its script by the address of the API, which differs from the target behind a proxy. */
async function scriptProblems(target: Target, script: string): Promise<Findings> {
  if (!script.startsWith(`${target.url}/`)) return [`the script is at ${script}, not below the address`];
  const answer = await request(target, 'GET', script.slice(target.url.length));
  return [
    ...expectStatus(answer, 200),
    ...expectHeader(answer, 'content-type', 'text/javascript; charset=utf-8'),
  ];
}

function expectStatus({ status, headers, json }: ReceivedResponse, expected: number): Findings {
  const location = headers.get('location');
  const details = [
    typeof json?.error === 'string' ? json.error.slice(0, 200) : undefined,
    location === null ? undefined : `location ${location.slice(0, 200)}`,
    headers.get('x-audit-id'),
    headers.get('x-request-id'),
  ].filter(Boolean);
  const quoted = details.length === 0 ? '' : ` (${details.join(', ')})`;
  return expect(status === expected, `status ${status} instead of ${expected}${quoted}`);
}

function expectHeader({ headers }: ReceivedResponse, name: string, value: string): Findings {
  return expect(headers.get(name) === value, `${name} is '${headers.get(name)}' instead of '${value}'`);
}

function expectError(answer: ReceivedResponse, row: ErrorRow): Findings {
  return [
    ...expectStatus(answer, row.status),
    ...expect(hasBody(answer, row), `the body is ${answer.text.slice(0, 200)}`),
  ];
}

function hasBody({ json }: ReceivedResponse, row: ErrorRow): boolean {
  const { details: _, ...body } = json ?? {};
  return isDeepStrictEqual(body, errorBody(row));
}

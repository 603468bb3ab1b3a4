import { isDeepStrictEqual } from 'node:util';
import { errorBody, errorTable, gatewayErrors } from '../../functions/shared/contract/errors.ts';
import { alwaysHeaders, jsonType } from '../../functions/shared/contract/headers.ts';
import { withInlineObjects } from '../openapi/components.ts';
import { openApiDocument } from '../openapi/openapi.ts';
import { operationsOf, type PlacedOperation } from '../openapi/placed-operation.ts';
import { isReadableInTransit } from '../operator/api.ts';
import { exampleRequest } from '../reference/examples/request.ts';
import { type Answer, acceptsTls, NoAnswer, request } from './request.ts';

/** A deployment, or a local stack. */
export interface Target {
  /** The address of the API, without a slash at its end. */
  readonly url: string;
  readonly operatorKey: string | undefined;
}

/** A problem, or none. */
type Finding = string | undefined;

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
  run(target: Target): Promise<readonly Finding[]>;
}

const document = withInlineObjects(openApiDocument({ version: '' }));
const schemes = document.components.securitySchemes;
const operations = operationsOf(document);

/** Operations that nobody calls without a key. The example without its key changes nothing. */
const keyed = operations.filter(
  ({ operation: { security } }) =>
    security.length > 0 &&
    security.every((one) => Object.keys(one).some((name) => schemes[name]?.scheme === 'bearer')),
);

/** Pages and documents that anyone may read at their address. */
const readable = operations.filter(
  ({ method, operation: { security, parameters = [] } }) =>
    method === 'GET' && security.length === 0 && !parameters.some(({ required }) => required),
);

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

/** The checks, in their order. */
export const checks: readonly Check[] = [
  {
    name: 'GET /openapi.json returns the document of the API',
    next: 'Start the local stack, or compare the address with the output Url of the stack. It ends with the stage unless the stage has a domain.',
    run: async ({ url }) => {
      const answer = await request(`${url}/openapi.json`, 'GET').catch((error: unknown) => {
        throw error instanceof NoAnswer ? new Absent(error.message) : error;
      });
      const { openapi, info } = answer.json;
      const isDocument = Object(info).title === 'Vouchsafe';
      if (!isDocument && !Object.values(gatewayErrors).some((row) => hasBody(answer, row)))
        throw new Absent(
          ['the server at this address is not Vouchsafe', wrongStatus(answer, 200)]
            .filter(Boolean)
            .join('; '),
        );
      return [
        wrongStatus(answer, 200),
        String(openapi).startsWith('3.1') ? undefined : `openapi is '${openapi}'`,
      ];
    },
  },
  {
    name: 'pages and documents are served as the document of the API says',
    next: `${gateway} ${logs}`,
    run: ({ url }) => ofEach(readable, (one) => wrongPage(url, one)),
  },
  {
    name: 'the share page finds its script',
    next: logs,
    run: async ({ url }) => {
      const page = await request(`${url}/s`, 'GET', { headers: { accept: 'text/html' } });
      const [, script] = /<script type="module" src="([^"]+)"/.exec(page.text) ?? [];
      if (script === undefined) return [wrongStatus(page, 200), 'the page names no script'];
      // The page names its script by the address of the API, which differs from the target behind a proxy.
      if (!script.startsWith(`${url}/`)) return [`the script is at ${script}, not below the address`];
      const answer = await request(script, 'GET');
      return [
        wrongStatus(answer, 200),
        wrongHeader(answer, 'content-type', 'text/javascript; charset=utf-8'),
      ];
    },
  },
  {
    name: 'a one-time share is stored, opens once, and is gone',
    next: `The functions cannot use the table, or another client opened the share. ${logs}`,
    run: async ({ url }) => {
      const stored = await request(`${url}/api/share`, 'POST', { body: share });
      const id = stored.json.shareId;
      if (stored.status !== 200) return [wrongStatus(stored, 200)];
      if (typeof id !== 'string' || id === '') return ['no shareId in the response instead of one'];
      const address = `${url}/api/share?id=${encodeURIComponent(id)}`;
      const opened = await request(address, 'GET');
      const again = await request(address, 'GET');
      const isSame = opened.json.data_blob === share.data_blob && opened.json.iv === share.iv;
      return [
        wrongStatus(opened, 200),
        isSame ? undefined : 'the share has another content',
        wrongError(again, errorTable.share_gone),
      ];
    },
  },
  {
    name: 'the examples of all operations that need a key are refused without one',
    next: `${gateway} ${logs}`,
    run: ({ url }) => ofEach(keyed, (one) => wrongRefusal(url, one)),
  },
  {
    name: 'an invalid request, an unknown path and another method get the errors of the contract, with its headers',
    next: `${gateway} ${logs} If headers differ, a proxy, a CDN or a web ACL before the API changes them.`,
    run: async ({ url }) => {
      const invalid = await request(`${url}/api/share`, 'POST', { body: {} });
      const unknown = await request(`${url}/no-such-path`, 'GET');
      const other = await request(`${url}/api/share`, 'PUT');
      const allowed = (other.headers.get('allow') ?? '').split(/, ?/);
      const missing = ['GET', 'POST', 'DELETE'].filter((method) => !allowed.includes(method));
      return [
        wrongError(invalid, errorTable.share_invalid),
        ...Object.entries({ ...alwaysHeaders, 'content-type': jsonType }).map(([name, value]) =>
          wrongHeader(invalid, name, value),
        ),
        invalid.headers.has('x-request-id') ? undefined : 'x-request-id is missing',
        wrongError(unknown, gatewayErrors.not_found),
        wrongError(other, gatewayErrors.method_not_allowed),
        missing.length === 0 ? undefined : `Allow lacks ${missing.join(', ')}`,
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
        (await acceptsTls(address, 'TLSv1.3')) ? undefined : 'TLS 1.3 is refused',
        (await acceptsTls(address, 'TLSv1.2')) ? 'TLS 1.2 is accepted' : undefined,
      ];
    },
  },
  {
    name: 'the operator key is accepted',
    next: 'Create a key with: npm run -s operator -- bootstrap --table <table> --name <person>.',
    sendsKey: true,
    run: async ({ url, operatorKey }) => {
      if (operatorKey === undefined) throw new Skipped('run with --operator-key to check it');
      const headers = { authorization: `Bearer ${operatorKey}` };
      // A key that is refused gets 401 before the application is looked up.
      const answer = await request(`${url}/api/operator/applications/app_none`, 'GET', { headers });
      return [wrongError(answer, errorTable.not_found)];
    },
  },
];

/** As many requests at once as a new account of AWS runs functions. */
const atOnce = 8;

/** The findings about operations, each with its operation. */
async function ofEach(
  all: readonly PlacedOperation[],
  check: (one: PlacedOperation) => Promise<Finding>,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const waiting = all.values();
  const work = async () => {
    for (const one of waiting) {
      const finding = await check(one);
      findings.push(finding && `${one.method} ${one.path}: ${finding}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return findings;
}

/** The answer has a status and a media type that the document gives the operation. */
async function wrongPage(url: string, { path, operation }: PlacedOperation): Promise<Finding> {
  const answer = await request(url + path, 'GET', { headers: { accept: 'text/html,*/*;q=0.8' } });
  const response = operation.responses[answer.status];
  if (response === undefined || answer.status >= 500) return wrongStatus(answer, 200);
  if (answer.status !== 200 || !('content' in response)) return undefined;
  const types = Object.keys(response.content);
  const type = answer.headers.get('content-type')?.split(';', 1)[0] ?? 'none';
  if (!types.includes(type)) return `the media type is ${type} instead of ${types.join(' or ')}`;
  return type === 'text/html' ? wrongHeader(answer, 'x-frame-options', 'DENY') : undefined;
}

async function wrongRefusal(url: string, { method, path, operation }: PlacedOperation): Promise<Finding> {
  const { target, headers, body } = exampleRequest(method, path, operation, schemes);
  const answer = await request(url + target, method, { headers, body: body?.value });
  const row = errorTable.invalid_token;
  return wrongError(answer, row) ?? wrongHeader(answer, 'www-authenticate', row.challenge);
}

function wrongStatus({ status, headers, json }: Answer, expected: number): Finding {
  const location = headers.get('location');
  const details = [
    typeof json.error === 'string' ? json.error.slice(0, 200) : undefined,
    location === null ? undefined : `location ${location.slice(0, 200)}`,
    headers.get('x-audit-id'),
    headers.get('x-request-id'),
  ].filter(Boolean);
  const quoted = details.length === 0 ? '' : ` (${details.join(', ')})`;
  return status === expected ? undefined : `status ${status} instead of ${expected}${quoted}`;
}

function wrongHeader({ headers }: Answer, name: string, value: string): Finding {
  return headers.get(name) === value ? undefined : `${name} is '${headers.get(name)}' instead of '${value}'`;
}

type ErrorRow = Parameters<typeof errorBody>[0] & { status: number };

const wrongError = (answer: Answer, row: ErrorRow): Finding =>
  wrongStatus(answer, row.status) ??
  (hasBody(answer, row) ? undefined : `the body is ${answer.text.slice(0, 200)}`);

function hasBody({ json: { details: _, ...body } }: Answer, row: ErrorRow): boolean {
  return isDeepStrictEqual(body, errorBody(row));
}

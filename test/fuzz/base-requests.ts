import { registeredRoutes } from '../../functions/routes.ts';
import type { Auth } from '../../functions/shared/contract/callers.ts';
import type { Route } from '../../functions/shared/contract/route.ts';
import { pathsOf } from '../../lib/openapi/paths.ts';
import type { Operation } from '../../lib/openapi/types.ts';
import { type Call, newSecret, newTenant } from '../support/call.ts';
import { documentedOperations } from '../support/documentation/differences.ts';
import type { Seeded } from '../support/parallel/seeded.ts';
import { samples } from '../support/samples/requests.ts';
import type { Draft } from './draft.ts';

/** A sample is used for about this many requests, because preparing one takes longer than sending one. */
const usesPerSample = 40;

/** An operation of the document with its route. */
export interface Target {
  /** The id of the route, whose sample is used. */
  id: string;
  operation: Operation;
  path: string;
  route: Route;
}

/** Every operation of the OpenAPI document, at each of its paths. */
export function allTargets(): Target[] {
  const operations = documentedOperations();
  return registeredRoutes().flatMap(({ id, route }) => {
    const operation = operations.get(id);
    return operation === undefined ? [] : pathsOf(route).map((path) => ({ id, operation, path, route }));
  });
}

/** Valid requests of every operation, with every kind of credential. */
export class BaseRequests {
  readonly #random: Seeded;
  readonly #samples = new Map<string, Call>();
  #foreign: Record<string, string> = {};

  constructor(random: Seeded) {
    this.#random = random;
  }

  /** Creates the credentials of another application. */
  async prepare(): Promise<void> {
    const { applicationId, clientSecret, apiKey } = await newTenant();
    const grant = { applicationId, userId: 'user-foreign', scopes: ['trust_links:write', 'vault'] };
    const [token, operator, expired] = await Promise.all([
      newSecret('access_token', grant),
      newSecret('operator_key'),
      newSecret('client_secret', { applicationId, expiresAtMs: 1 }),
    ]);
    const { secret: expiredOperator } = await newSecret('operator_key', { expiresAtMs: 1 });
    this.#foreign = {
      'foreign client secret': clientSecret,
      'foreign API key': apiKey,
      'user token': token.secret,
      'operator key': operator.secret,
      'expired client secret': expired.secret,
      'expired operator key': expiredOperator,
      'revoked client secret': `vcs_${'A'.repeat(22)}`,
      'revoked API key': `vak_${'B'.repeat(22)}`,
    };
  }

  /** A valid request of an operation, carrying some credential. */
  async next({ id, path, route }: Target): Promise<Draft> {
    const known = this.#samples.get(id);
    const call =
      known === undefined || this.#random.oneIn(usesPerSample) ? ((await samples[id]?.()) ?? {}) : known;
    this.#samples.set(id, call);
    const { params = {}, query = {}, headers = {}, body } = structuredClone(call);
    const form = route.bodyType === 'form';
    const isJson = body !== undefined && !form && !Object.keys(headers).some(isContentType);
    const draft: Draft = {
      id,
      method: route.method,
      path,
      params,
      query: Object.entries(query),
      headers: [...Object.entries(headers), ...(isJson ? [jsonHeader] : [])],
      body: form ? Object.fromEntries(new URLSearchParams(String(body))) : body,
      form,
      credential: 'own',
    };
    if (this.#random.oneIn(3)) this.#changeCredential(draft, route.auth);
    return draft;
  }

  #changeCredential(draft: Draft, auth: Auth): void {
    const names = headersOf[auth];
    const without = draft.headers.filter(([name]) => !names.includes(name.toLowerCase()));
    const random = this.#random;
    if (draft.headers.some(([name]) => name === receiptHeader[0])) {
      draft.credential = 'another receipt';
      draft.headers = [...draft.headers.filter(([name]) => name !== receiptHeader[0]), receiptHeader];
      return;
    }
    if (names.length === 0) return;
    if (random.oneIn(4)) {
      draft.credential = 'none';
      draft.headers = without;
      return;
    }
    if (names.includes('authorization')) {
      const credential = random.pick(['malformed', ...Object.keys(this.#foreign)]);
      const malformed = ['Bearer', 'Bearer  ', 'Basic QTpC', 'bearer x y', 'Bearer vcs_', 'Bearer \u00e9'];
      const secret = this.#foreign[credential];
      draft.credential = credential;
      draft.headers = [
        ...without,
        ['authorization', secret === undefined ? random.pick(malformed) : `Bearer ${secret}`],
      ];
      return;
    }
    draft.credential = random.pick(['another proof', 'another device', 'user token']);
    const changed: Record<string, [string, string]> = {
      'another proof': ['x-auth-hash', 'f'.repeat(64)],
      'another device': ['x-device-id', 'client-00000000-0000-4000-8000-000000000000'],
      'user token': ['authorization', `Bearer ${this.#foreign['user token']}`],
    };
    const header = changed[draft.credential] ?? jsonHeader;
    draft.headers = [...draft.headers.filter(([name]) => name !== header[0]), header];
  }
}

const jsonHeader: [string, string] = ['content-type', 'application/json'];
const receiptHeader: [string, string] = ['x-receipt-token', `vsr_${'C'.repeat(22)}`];
const isContentType = (name: string) => name.toLowerCase() === 'content-type';

const bearerHeader: readonly string[] = ['authorization'];
const deviceProofHeaders: readonly string[] = ['x-device-token', 'dpop'];
const proofHeaders: readonly string[] = ['x-device-id', 'x-auth-hash', 'x-device-token', 'dpop'];
const headersOf: Readonly<Record<Auth, readonly string[]>> = {
  none: [],
  device: deviceProofHeaders,
  proof: proofHeaders,
  management: [],
  links: bearerHeader,
  apiKey: bearerHeader,
  application: bearerHeader,
  seller: bearerHeader,
  operator: bearerHeader,
  anyOperator: bearerHeader,
};

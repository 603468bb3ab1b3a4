import { randomUUID } from 'node:crypto';
import { type Registered, registeredRoutes } from '../../../../../functions/routes.ts';
import {
  type DeviceStore,
  type Fetch,
  memoryStore,
  VaultClient,
  type VaultClientOptions,
} from '../../../../../lib/client/vault.ts';
import { type Call, call, freshAddress } from '../../../../support/call.ts';
import { codeSentTo } from '../../../../support/mail/mailbox.ts';

/** The address under which the events of tests arrive: domain and stage. */
export const apiUrl = 'https://api.test/test';

/** A request as it left the client. */
export interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  status?: number;
}

/** The fault on the way: the request or its answer is lost, or something else answers. */
type Fault = 'request lost' | 'answer lost' | { status: number; body: string } | undefined;

/** The service over a network of the test: the real handlers, behind the interface of `fetch`. */
export class Service {
  readonly sent: Sent[] = [];
  /** Decides for each request what happens to it. */
  fault: (sent: Sent) => Fault = () => undefined;
  /** Runs before a request is answered. */
  before: (sent: Sent) => Promise<unknown> | undefined = () => undefined;
  /** The header `Date` of answers. */
  date: () => string | null = () => new Date().toUTCString();
  sourceIp = freshAddress();

  readonly fetch: Fetch = async (url, { method, headers, body }) => {
    const { pathname, searchParams } = new URL(url);
    const path = pathname.slice(new URL(apiUrl).pathname.length);
    const sent: Sent = { method, path, headers, body: body && new TextDecoder().decode(body) };
    this.sent.push(sent);
    const fault = this.fault(sent);
    if (typeof fault === 'object') return response(fault.status, fault.body, { date: this.date() });
    if (fault === 'request lost') throw new TypeError('fetch failed');
    await this.before(sent);
    const request: Call = { headers, query: Object.fromEntries(searchParams), sourceIp: this.sourceIp };
    if (sent.body !== undefined) request.body = sent.body;
    const answer = await call(routeOf(method, path).id, request);
    sent.status = answer.status;
    if (fault === 'answer lost') throw new TypeError('terminated');
    return response(answer.status, answer.text, Object.assign({ date: this.date() }, answer.headers));
  };

  /** The requests to a path since the last call, in order. */
  taken(path?: string): Sent[] {
    return this.sent.splice(0).filter((sent) => path === undefined || sent.path === path);
  }
}

function routeOf(method: string, path: string): Registered {
  const entry = registeredRoutes().find(({ route }) => route.method === method && route.path === path);
  if (entry === undefined) throw new Error(`No route ${method} ${path}`);
  return entry;
}

function response(status: number, body: string, headers: Record<string, string | null>) {
  return { status, headers: { get: (name: string) => headers[name] ?? null }, text: async () => body };
}

/** A store that keeps keys, shared by the tabs of one browser, as IndexedDB is. */
export function keyStore(): DeviceStore {
  const { get, update } = memoryStore();
  return { keepsKeys: true, get, update };
}

/** A user, with a client on a browser of their own. */
export interface Person {
  userId: string;
  email: string;
  authHash: string;
  service: Service;
  store: DeviceStore;
  client: VaultClient;
  /** Another client, on the same store unless given. */
  another(options?: Partial<VaultClientOptions>): VaultClient;
  /** Has a code mailed and verifies with it. */
  verify(client?: VaultClient): Promise<void>;
}

const hex = (text: string) => Buffer.from(text).toString('hex').padEnd(64, '0').slice(0, 64);

export function person(store = keyStore(), options: Partial<VaultClientOptions> = {}): Person {
  const userId = `user-${randomUUID()}`;
  const email = `${userId}@example.com`;
  const service = new Service();
  const another: Person['another'] = (more = {}) => {
    const own = { apiUrl, userId, store, fetch: service.fetch, wait: async () => undefined };
    return new VaultClient(Object.assign(own, options, more));
  };
  const client = another();
  return {
    userId,
    email,
    authHash: hex(userId),
    service,
    store,
    client,
    another,
    async verify(given = client) {
      // The limit of codes counts by address: three requests a minute.
      service.sourceIp = freshAddress();
      await given.sendCode(email);
      await given.verifyDevice(email, await codeSentTo(email));
    },
  };
}

/** A person whose device is verified. */
export async function verifiedPerson(
  store?: DeviceStore,
  options?: Partial<VaultClientOptions>,
): Promise<Person> {
  const made = person(store, options);
  await made.verify();
  return made;
}

export const vault = { data_blob: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJ', iv: 'AAECAwQFBgcICQoL' };

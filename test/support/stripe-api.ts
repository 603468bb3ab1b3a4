import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { env } from '../../functions/shared/env.ts';
import { client } from '../../functions/subscriptions/stripe-keys.ts';
import { listen, listenEndpoint } from '../../lib/local/listen.ts';
import { secretsEndpoint } from '../../lib/local/secrets.ts';

/** A Checkout Session as far as it is read. */
interface Session {
  id: string;
  object: 'checkout.session';
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid';
  payment_intent: { id: string; object: 'payment_intent'; status: string } | null;
  url: string | null;
  expires_at: number;
  amount_total: number;
  currency: string;
  metadata: Record<string, string>;
  /** What it was made from, as it was sent. */
  sent: Record<string, string>;
}

const redirected = 'redirected-secrets';

type Answer = [status: number, body: object];

const error = (status: number, type: string, message: string, more: object = {}): Answer => [
  status,
  { error: { type, message, ...more } },
];

/**
 * Stands in for Stripe: Checkout Sessions with Idempotency-Key, and its errors, as documented at
 * https://docs.stripe.com/api/checkout/sessions, /idempotent_requests and /errors. Beside it a Secrets Manager that has the
 * keys of applications.
 */
export class StripeApi {
  readonly sessions = new Map<string, Session>();
  /** `POST /v1/checkout/sessions`, as they came. */
  readonly requests: string[] = [];
  /** Taken by the next requests in turn instead of an answer: a status, or a connection that breaks after the work. */
  readonly faults: (number | 'lost')[] = [];
  readonly #answers = new Map<string, { request: string; answer: Answer }>();
  readonly #secrets: Record<string, string>;
  readonly #close: () => Promise<unknown>;
  readonly url: string;
  readonly secretKey = `sk_test_${randomBytes(12).toString('hex')}`;
  readonly webhookSecret = `whsec_${randomBytes(12).toString('hex')}`;

  private constructor(url: string, secrets: Record<string, string>, close: () => Promise<unknown>) {
    this.url = url;
    this.#secrets = secrets;
    this.#close = close;
  }

  /** From then on the handlers read Stripe keys there, whoever the SDK would ask. */
  static async start(): Promise<StripeApi> {
    let api: StripeApi | undefined;
    const server = createServer((request, response) => void api?.serve(request, response));
    const { url, close } = await listen(server, 0);
    const secrets: Record<string, string> = {};
    const manager = await listenEndpoint(secretsEndpoint(secrets));
    client.middlewareStack.add(
      (next) => (args) => {
        Object.assign(args.request as object, { port: Number(new URL(manager.url).port) });
        return next(args);
      },
      { step: 'build', name: redirected },
    );
    api = new StripeApi(url, secrets, () => {
      client.middlewareStack.remove(redirected);
      return Promise.all([close(), manager.close()]);
    });
    return api;
  }

  stop(): Promise<unknown> {
    return this.#close();
  }

  /** Gives an application keys; `null` takes them away, a text is kept as it is. */
  keysOf(applicationId: string, keys: object | string | null = {}): void {
    const name = `${env.stripeSecretPrefix()}${applicationId}`;
    const whole = { secretKey: this.secretKey, webhookSecret: this.webhookSecret, apiUrl: this.url };
    if (keys === null) delete this.#secrets[name];
    else this.#secrets[name] = typeof keys === 'string' ? keys : JSON.stringify({ ...whole, ...keys });
  }

  /** The subscriber pays on Stripe's page. */
  pay(id: string, state: 'paid' | 'processing' | 'requires_payment_method' = 'paid'): Session {
    const session = this.session(id);
    const intent = state === 'paid' ? 'succeeded' : state;
    Object.assign(session, {
      ...{ status: 'complete', url: null, payment_status: state === 'paid' ? 'paid' : 'unpaid' },
      payment_intent: { id: `pi_${id.slice(8)}`, object: 'payment_intent', status: intent },
    });
    return session;
  }

  session(id: string): Session {
    const session = this.sessions.get(id);
    if (session === undefined) throw new Error(`There is no session ${id}`);
    return session;
  }

  /** A delivery of an event, signed as Stripe signs it. */
  delivery(event: object, more: { secret?: string; timestamp?: number } = {}) {
    const body = JSON.stringify({ id: `evt_${randomBytes(8).toString('hex')}`, object: 'event', ...event });
    const { secret = this.webhookSecret, timestamp = Math.floor(Date.now() / 1_000) } = more;
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
    return {
      body,
      headers: { 'Stripe-Signature': signature, 'Content-Type': 'application/json; charset=utf-8' },
    };
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const { pathname } = new URL(request.url ?? '', this.url);
    const fault = this.faults.shift();
    const [status, answer] =
      typeof fault === 'number'
        ? error(fault, 'api_error', 'Something went wrong at Stripe.')
        : this.answer(request, pathname, body);
    if (fault === 'lost') {
      response.destroy();
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_test' });
    response.end(JSON.stringify(answer));
  }

  private answer({ method = '', headers }: IncomingMessage, path: string, body: string): Answer {
    if (headers.authorization !== `Bearer ${this.secretKey}`) {
      return error(401, 'invalid_request_error', 'Invalid API Key provided: sk_test_***');
    }
    const key = method === 'POST' ? headers['idempotency-key'] : undefined;
    if (typeof key !== 'string') return this.#act(method, path, body);
    const [kept, sent] = [this.#answers.get(key), `${path}\n${body}`];
    if (kept !== undefined && kept.request !== sent) {
      return error(
        400,
        'idempotency_error',
        'Keys for idempotent requests can only be used with the same parameters.',
      );
    }
    const answer = kept?.answer ?? this.#act(method, path, body);
    // Refused before it began, a request is not kept.
    if (answer[0] !== 400) this.#answers.set(key, { request: sent, answer });
    return answer;
  }

  #act(method: string, path: string, body: string): Answer {
    const sent = Object.fromEntries(new URLSearchParams(body));
    if (method === 'POST' && path === '/v1/checkout/sessions') {
      this.requests.push(body);
      return this.#create(sent);
    }
    const [, id = '', action] = /^\/v1\/checkout\/sessions\/([^/]+)(\/expire)?$/.exec(path) ?? [];
    const session = this.sessions.get(id);
    if (session === undefined) {
      return error(404, 'invalid_request_error', 'No such checkout.session', { code: 'resource_missing' });
    }
    if (session.status === 'open' && session.expires_at * 1_000 <= Date.now()) {
      Object.assign(session, { status: 'expired', url: null });
    }
    if (action === undefined) return [200, session];
    if (session.status !== 'open') {
      return error(
        400,
        'invalid_request_error',
        'Only Checkout Sessions with a status in ["open"] can be expired.',
      );
    }
    Object.assign(session, { status: 'expired', url: null });
    return [200, session];
  }

  #create(sent: Record<string, string>): Answer {
    const { expires_at: expires = '', 'line_items[0][price_data][currency]': currency = '' } = sent;
    const amount = Number(sent['line_items[0][price_data][unit_amount]']);
    const lives = Number(expires) - Date.now() / 1_000;
    if (sent.mode !== 'payment' || !(lives >= 1_800 && lives <= 86_400)) {
      return error(
        400,
        'invalid_request_error',
        'The `expires_at` timestamp must be between 30 minutes and 24 hours.',
        { param: 'expires_at' },
      );
    }
    if (amount < 50 && currency === 'eur') {
      return error(400, 'invalid_request_error', 'Amount must be at least €0.50 eur', {
        code: 'amount_too_small',
      });
    }
    const id = `cs_test_${randomBytes(8).toString('hex')}`;
    const named = Object.entries(sent).flatMap(([name, value]) => {
      const [, field] = /^metadata\[(\w+)\]$/.exec(name) ?? [];
      return field === undefined ? [] : [[field, value] as const];
    });
    const session: Session = {
      ...{ id, object: 'checkout.session', status: 'open', payment_status: 'unpaid', payment_intent: null },
      ...{ url: `${this.url}/pay/${id}`, expires_at: Number(expires), amount_total: amount, currency },
      ...{ metadata: Object.fromEntries(named), sent },
    };
    this.sessions.set(id, session);
    // As it was then: the same key gets the same answer for ever.
    return [200, { ...session }];
  }
}

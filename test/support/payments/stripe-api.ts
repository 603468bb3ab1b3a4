import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import Stripe from 'stripe';
import { secretsManager } from '../../../functions/payments/stripe/keys.ts';
import * as env from '../../../functions/shared/runtime/env.ts';
import { listen, listenEndpoint } from '../../../lib/local/listen.ts';
import { secretsEndpoint } from '../../../lib/local/secrets.ts';
import { type Answer, refused, StripeSessions } from './stripe-sessions.ts';

const redirected = 'redirected-secrets';

/**
 * A stand-in for Stripe: Checkout Sessions with Idempotency-Key, and its errors, as documented at
 * https://docs.stripe.com/api/checkout/sessions, /idempotent_requests and /errors. It has a Secrets Manager with
 * the keys of applications.
 */
export class StripeApi {
  readonly sessions: StripeSessions;
  /** Faults of the next requests, in order: an error status, or a connection that breaks after the work is done. */
  readonly faults: (number | 'lost')[] = [];
  readonly #answers = new Map<string, { request: string; answer: Answer }>();
  readonly #secrets: Record<string, string>;
  readonly #close: () => Promise<unknown>;
  readonly #secretsUrl: string;
  readonly url: string;
  readonly secretKey = `sk_test_${randomBytes(12).toString('hex')}`;
  readonly webhookSecret = `whsec_${randomBytes(12).toString('hex')}`;

  private constructor(
    url: string,
    { secretsUrl, secrets }: { secretsUrl: string; secrets: Record<string, string> },
    close: () => Promise<unknown>,
  ) {
    this.url = url;
    this.#secretsUrl = secretsUrl;
    this.sessions = new StripeSessions(url);
    this.#secrets = secrets;
    this.#close = close;
  }

  /** Starts the stand-in. From then on the handlers read Stripe keys from it. */
  static async start(): Promise<StripeApi> {
    let api: StripeApi | undefined;
    const server = createServer((request, response) => void api?.serve(request, response));
    const { url, close } = await listen(server, 0);
    const secrets: Record<string, string> = {};
    const manager = await listenEndpoint(secretsEndpoint(secrets));
    secretsManager.middlewareStack.add(
      (next) => (args) => {
        Object.assign(args.request as object, { port: Number(new URL(manager.url).port) });
        return next(args);
      },
      { step: 'build', name: redirected },
    );
    api = new StripeApi(url, { secretsUrl: manager.url, secrets }, () => {
      secretsManager.middlewareStack.remove(redirected);
      return Promise.all([close(), manager.close()]);
    });
    return api;
  }

  /** The URL of a Secrets Manager for another process, with the Stripe keys and one more secret of this process. */
  async secretsWith(id = ''): Promise<string> {
    // Not the client of the handlers, which is redirected to the stand-in.
    const client = new SecretsManagerClient({});
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId: id }));
    client.destroy();
    this.#secrets[id] = SecretString;
    return this.#secretsUrl;
  }

  stop(): Promise<unknown> {
    return this.#close();
  }

  /** Sets the keys of an application; `null` removes them, a string is stored unchanged. */
  keysOf(applicationId: string, keys: object | string | null = {}): void {
    const name = `${env.stripeSecretPrefix()}${applicationId}`;
    const whole = { secretKey: this.secretKey, webhookSecret: this.webhookSecret, apiUrl: this.url };
    if (keys === null) delete this.#secrets[name];
    else this.#secrets[name] = typeof keys === 'string' ? keys : JSON.stringify({ ...whole, ...keys });
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
        ? refused(fault, 'api_error', 'Something went wrong at Stripe.')
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
      return refused(401, 'invalid_request_error', 'Invalid API Key provided: sk_test_***');
    }
    const key = method === 'POST' ? headers['idempotency-key'] : undefined;
    if (typeof key !== 'string') return this.sessions.act(method, path, body);
    const stored = this.#answers.get(key);
    const sent = `${path}\n${body}`;
    if (stored !== undefined && stored.request !== sent) {
      return refused(
        400,
        'idempotency_error',
        'Keys for idempotent requests can only be used with the same parameters.',
      );
    }
    const answer = stored?.answer ?? this.sessions.act(method, path, body);
    // Stripe keeps no request that failed validation.
    if (answer[0] !== 400) this.#answers.set(key, { request: sent, answer });
    return answer;
  }
}

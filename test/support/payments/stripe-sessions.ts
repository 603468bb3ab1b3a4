/** The stand-in's Checkout Sessions. https://docs.stripe.com/api/checkout/sessions */
import { randomBytes } from 'node:crypto';

/** The fields of a Checkout Session that the service reads. */
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
  /** The parameters of its creation. */
  sent: Record<string, string>;
}

export type Answer = [status: number, body: object];

export const refused = (status: number, type: string, message: string, more: object = {}): Answer => [
  status,
  { error: { type, message, ...more } },
];

/** The sessions of one account. */
export class StripeSessions {
  readonly all = new Map<string, Session>();
  /** The bodies of `POST /v1/checkout/sessions`. */
  readonly requests: string[] = [];
  readonly #url: string;

  /** @param url of the pages of the sessions. */
  constructor(url: string) {
    this.#url = url;
  }

  /** The subscriber pays on Stripe's page. */
  pay(id: string, state: 'paid' | 'processing' | 'requires_payment_method' = 'paid'): Session {
    const session = this.get(id);
    const intent = state === 'paid' ? 'succeeded' : state;
    Object.assign(session, {
      status: 'complete',
      url: null,
      payment_status: state === 'paid' ? 'paid' : 'unpaid',
      payment_intent: { id: `pi_${id.slice(8)}`, object: 'payment_intent', status: intent },
    });
    return session;
  }

  get(id: string): Session {
    const session = this.all.get(id);
    if (session === undefined) throw new Error(`There is no session ${id}`);
    return session;
  }

  act(method: string, path: string, body: string): Answer {
    const sent = Object.fromEntries(new URLSearchParams(body));
    if (method === 'POST' && path === '/v1/checkout/sessions') {
      this.requests.push(body);
      return this.#create(sent);
    }
    const [, id = '', action] = /^\/v1\/checkout\/sessions\/([^/]+)(\/expire)?$/.exec(path) ?? [];
    const session = this.all.get(id);
    if (session === undefined) {
      return refused(404, 'invalid_request_error', 'No such checkout.session', { code: 'resource_missing' });
    }
    if (session.status === 'open' && session.expires_at * 1_000 <= Date.now()) {
      Object.assign(session, { status: 'expired', url: null });
    }
    if (action === undefined) return [200, session];
    if (session.status !== 'open') {
      return refused(
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
    const lifetime = Number(expires) - Date.now() / 1_000;
    if (sent.mode !== 'payment' || !(lifetime >= 1_800 && lifetime <= 86_400)) {
      return refused(
        400,
        'invalid_request_error',
        'The `expires_at` timestamp must be between 30 minutes and 24 hours.',
        { param: 'expires_at' },
      );
    }
    if (amount < 50 && currency === 'eur') {
      return refused(400, 'invalid_request_error', 'Amount must be at least €0.50 eur', {
        code: 'amount_too_small',
      });
    }
    const id = `cs_test_${randomBytes(8).toString('hex')}`;
    const named = Object.entries(sent).flatMap(([name, value]) => {
      const [, field] = /^metadata\[(\w+)\]$/.exec(name) ?? [];
      return field === undefined ? [] : [[field, value] as const];
    });
    const session: Session = {
      id,
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      url: `${this.#url}/pay/${id}`,
      expires_at: Number(expires),
      amount_total: amount,
      currency,
      metadata: Object.fromEntries(named),
      sent,
    };
    this.all.set(id, session);
    // A copy, because the same idempotency key always gets the same response.
    return [200, { ...session }];
  }
}

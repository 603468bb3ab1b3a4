/**
 * The account of a seller at Stripe, as Stripe knows it: its charges with their refunds and disputes, and the events that tell of
 * them. Events arrive late, more than once and in any order. What Stripe holds is what the service has to hold when all have arrived.
 */
import { call } from '../../call.ts';
import type { Seeded } from '../../parallel/seeded.ts';
import type { StripeApi } from '../../payments/stripe-api.ts';
import { apiVersions, corpusEvent } from '../../payments/stripe-corpus.ts';

export { apiVersions };

/** A charge. Amounts in minor units. */
export interface Charge {
  readonly invoiceId: string;
  /** Its payment intent. */
  readonly paymentId: string;
  readonly amountMinor: number;
  readonly currency: string;
  state: 'processing' | 'failed' | 'paid';
  readonly refunds: { readonly id: string; readonly amountMinor: number; isFailed: boolean }[];
  readonly disputes: { readonly id: string; readonly amountMinor: number; state: 'open' | 'won' | 'lost' }[];
}

/** An event on its way. */
interface StripeEvent {
  readonly name: string;
  readonly paymentId: string;
  readonly event: object;
}

/** The events that tell that a refund failed: until 2024-10-28, there is one. */
const failureEvents = ['charge.refund.updated-failed', 'refund.failed', 'refund.updated-failed'];

const sum = (items: readonly { readonly amountMinor: number }[]) =>
  items.reduce((total, { amountMinor }) => total + amountMinor, 0);

const refundedMinor = ({ refunds }: Charge) => sum(refunds.filter(({ isFailed }) => !isFailed));

const disputedMinor = ({ disputes }: Charge) => sum(disputes.filter(({ state }) => state !== 'won'));

export class StripeAccount {
  readonly charges: Charge[] = [];
  #underway: StripeEvent[] = [];
  readonly #delivered: StripeEvent[] = [];
  readonly #api: StripeApi;
  readonly #applicationId: string;
  readonly #version: string;
  #ids = 0;

  constructor(api: StripeApi, applicationId: string, version: string) {
    api.keysOf(applicationId);
    this.#api = api;
    this.#applicationId = applicationId;
    this.#version = version;
  }

  /** A subscriber pays an invoice, at once or by a debit that takes days. */
  pay(random: Seeded, invoice: Pick<Charge, 'invoiceId' | 'amountMinor' | 'currency'>): void {
    const state = random.pick(['paid', 'paid', 'processing'] as const);
    const { invoiceId, amountMinor, currency } = invoice;
    const paymentId = `pi_${this.#newId()}`;
    const charge: Charge = { invoiceId, amountMinor, currency, paymentId, state, refunds: [], disputes: [] };
    this.charges.push(charge);
    this.#tell(
      charge,
      'checkout.session.completed',
      state === 'processing' ? { payment_status: 'unpaid' } : {},
    );
  }

  /** Something becomes of a charge. */
  proceed(random: Seeded): void {
    const charge = random.pick(this.charges);
    if (charge.state === 'processing') {
      charge.state = random.pick(['paid', 'failed'] as const);
      const type = `checkout.session.async_payment_${charge.state === 'paid' ? 'succeeded' : 'failed'}`;
      this.#tell(charge, 'checkout.session.completed', {}, { type });
    }
    if (charge.state !== 'paid') return;
    const dispute = charge.disputes.find(({ state }) => state === 'open');
    const refund = charge.refunds.find(({ isFailed }) => !isFailed);
    const leftMinor = charge.amountMinor - refundedMinor(charge) - disputedMinor(charge);
    const acts = [
      ...(leftMinor > 0 && dispute === undefined
        ? [() => this.#refund(random, charge, leftMinor), () => this.#dispute(random, charge, leftMinor)]
        : []),
      ...(refund === undefined ? [] : [() => this.#failRefund(random, charge, refund)]),
      ...(dispute === undefined ? [] : [() => this.#endDispute(random, charge, dispute)]),
    ];
    if (acts.length > 0) random.pick(acts)();
  }

  /** Delivers some of the events that are on their way, in any order, and sometimes one that came before. */
  async deliver(random: Seeded, isAll = false): Promise<StripeEvent[]> {
    const late = this.#underway.filter(() => !isAll && random.oneIn(4));
    const sent = random.shuffled(this.#underway.filter((one) => !late.includes(one)));
    this.#underway = late;
    if (this.#delivered.length > 0 && random.oneIn(4)) sent.push(random.pick(this.#delivered));
    for (const one of sent) {
      const params = { applicationId: this.#applicationId };
      const answer = await call('payments.stripe-webhook', { params, ...this.#api.delivery(one.event) });
      if (answer.status !== 200) throw new Error(`${one.name} is answered ${answer.status}: ${answer.text}`);
      this.#delivered.push(one);
    }
    return sent;
  }

  /** Where the service holds other money of a charge than Stripe, once every event has arrived. */
  faults(payments: readonly Recorded[]): string[] {
    return this.charges.flatMap((charge) => {
      const { paymentId, state, amountMinor } = charge;
      const payment = payments.find(({ sourceId }) => sourceId === paymentId);
      if (payment === undefined) return [`${paymentId} of Stripe is not recorded`];
      // Money that the seller says to have sent back is not refunded again.
      const { returnedMinor = 0 } = payment;
      const leftMinor = amountMinor - returnedMinor;
      const refunded = Math.min(leftMinor, refundedMinor(charge));
      const held = {
        state: paymentStateOf(payment),
        refunded: payment.refundedMinor ?? 0,
        disputed: payment.disputedMinor ?? 0,
      };
      const atStripe = {
        state,
        refunded,
        disputed: Math.min(leftMinor - refunded, disputedMinor(charge)),
      };
      const [stated, expected] = [held, atStripe].map((one) => JSON.stringify(one));
      return stated === expected ? [] : [`${paymentId} is ${stated}, and at Stripe ${expected}`];
    });
  }

  #refund(random: Seeded, charge: Charge, leftMinor: number): void {
    const amountMinor = random.pick([leftMinor, Math.ceil(leftMinor / 3)]);
    charge.refunds.push({ id: this.#newId(), amountMinor, isFailed: false });
    const total = refundedMinor(charge);
    this.#tell(charge, 'charge.refunded', {
      amount_refunded: total,
      refunded: total === charge.amountMinor,
    });
  }

  #failRefund(random: Seeded, charge: Charge, refund: Charge['refunds'][number]): void {
    refund.isFailed = true;
    const names = this.#version < '2024-10-28' ? failureEvents.slice(0, 1) : failureEvents;
    for (const name of random.shuffled(names)) this.#tell(charge, name, refundFields(refund));
  }

  #dispute(random: Seeded, charge: Charge, amountMinor: number): void {
    const id = this.#newId();
    const fields = { id: `dp_${id}` };
    const names = random.pick([
      ['charge.dispute.created', 'charge.dispute.funds_withdrawn'],
      ['charge.dispute.created-before-its-money', 'charge.dispute.funds_withdrawn'],
      ['charge.dispute.created-inquiry'],
      this.#version < '2024-10-28'
        ? []
        : ['charge.dispute.created-prevented', 'charge.dispute.closed-prevented'],
    ]);
    if (names.includes('charge.dispute.funds_withdrawn'))
      charge.disputes.push({ id, amountMinor, state: 'open' });
    for (const name of names) this.#tell(charge, name, fields, {}, amountMinor);
  }

  #endDispute(random: Seeded, charge: Charge, dispute: Charge['disputes'][number]): void {
    dispute.state = random.pick(['won', 'lost'] as const);
    const fields = { id: `dp_${dispute.id}` };
    const names =
      dispute.state === 'lost'
        ? ['charge.dispute.closed-lost']
        : ['charge.dispute.closed-won', 'charge.dispute.funds_reinstated'];
    for (const name of names) this.#tell(charge, name, fields, {}, dispute.amountMinor);
  }

  /** An event of the corpus about a charge. Its amounts are those of the file where no other is given. */
  #tell(
    charge: Charge,
    name: string,
    fields: object,
    more: object = {},
    amountMinor = charge.amountMinor,
  ): void {
    const { paymentId, invoiceId, currency } = charge;
    const unique = this.#newId();
    const about = { applicationId: this.#applicationId, invoiceId, unique };
    const file = corpusEvent(this.#version, name, about, 0);
    const created = Math.floor(Date.now() / 1_000);
    const event = JSON.parse(JSON.stringify(file), (key, value) => {
      if (Math.abs(value) === fileMinor) return Math.sign(value) * amountMinor;
      if (key === 'currency') return currency.toLowerCase();
      return key === 'created' ? created : value;
    });
    Object.assign(event, { id: `evt_${unique}` }, more);
    Object.assign(event.data.object, { payment_intent: paymentId }, fields);
    this.#underway.push({ name: event.type, paymentId, event });
  }

  #newId(): string {
    this.#ids += 1;
    return `${this.#applicationId}x${this.#ids}`;
  }
}

/** The amount of every file, in minor units. */
const fileMinor = 2570;

const refundFields = ({ id, amountMinor }: Charge['refunds'][number]) => ({
  id: `re_${id}`,
  amount: amountMinor,
});

interface Recorded {
  readonly sourceId?: string;
  readonly status?: string;
  readonly returnedMinor?: number;
  readonly refundedMinor?: number;
  readonly disputedMinor?: number;
  readonly neverArrived?: boolean;
}

function paymentStateOf({ status, neverArrived }: Recorded): Charge['state'] {
  if (neverArrived === true) return 'failed';
  return status === 'processing' ? 'processing' : 'paid';
}

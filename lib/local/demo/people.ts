import { randomUUID } from 'node:crypto';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { nextStepOf } from '../due-steps.ts';
import { inTurn } from '../in-turn.ts';
import { callHandler, type DemoOptions, demoClient, storedOrCreated } from './demo-client.ts';
import type { Demo } from './demo-data.ts';

/** The people with a subscription, each in another state of it. Each is a user with an account as well. */
export const personNames = ['anna', 'ben', 'cleo'] as const;
export type PersonName = (typeof personNames)[number];

const people = {
  anna: { name: 'Anna Demo', plan: 'trial', about: 'is on a two-week trial of the plan Pro', presses: [] },
  ben: { name: 'Ben Demo', plan: 'paid', about: 'has paid for the plan Team', presses: ['pay'] },
  cleo: {
    name: 'Cleo Demo',
    plan: 'paid',
    about: 'has paid for the plan Team, and the bank has reversed the payment',
    presses: ['pay', 'reverse'],
  },
} as const;

type CheckoutAction = 'pay' | 'decline' | 'reverse';

interface Stored {
  _id: string;
  externalId: string;
}

export type Person = Awaited<ReturnType<People['get']>>;

/** The demo people. Everything about them is done through the handlers of the API. */
export class People {
  readonly #options: DemoOptions;
  readonly #demo: () => Promise<Demo>;
  /** Two concurrent first requests would create everything twice. */
  readonly #one = inTurn();

  constructor(options: DemoOptions, demo: () => Promise<Demo>) {
    this.#options = options;
    this.#demo = demo;
  }

  all(): Promise<Person[]> {
    return Promise.all(personNames.map((name) => this.get(name)));
  }

  async get(name: PersonName) {
    const { about, name: fullName } = people[name];
    const { seller, stored } = await this.#subscribed(name);
    const { subscription } = await seller.client.getSubscription({ id: stored._id });
    const key = keys.subscription(seller._id, stored.externalId, stored._id);
    return {
      name,
      fullName,
      about,
      email: addressOf(name),
      status: subscription.status,
      access: subscription.access,
      owes: subscription.invoices.some(({ status }) => status === 'open'),
      next: await nextStepOf(this.#options.table, key),
    };
  }

  /** A new subscription in place of one, as the first one was. */
  async restart(name: PersonName): Promise<void> {
    const { seller } = await this.#subscribed(name);
    await this.#one(async () => {
      this.#options.state.set(nameOf(name, seller._id), await this.#subscribe(name, seller));
    });
  }

  async billingPath(name: PersonName): Promise<string> {
    const { seller, stored } = await this.#subscribed(name);
    const { billingUrl } = await seller.client.createBillingLink({ id: stored._id });
    return new URL(billingUrl).pathname;
  }

  /** The path of the checkout of what is owed, which the billing page links; undefined when there is none. */
  async checkoutPath(name: PersonName): Promise<string | undefined> {
    const page = new Request(`${this.#options.origin()}${await this.billingPath(name)}`, {
      headers: { accept: 'text/html' },
    });
    const shown = await callHandler(this.#options, page, checkoutAddress);
    return /\/checkout\/[\w.~-]+/.exec(await shown.text())?.[0];
  }

  /** Presses a button of a checkout. @returns the status of the response. */
  async press(checkoutPath: string, action: CheckoutAction): Promise<number> {
    const body = new URLSearchParams({ action });
    const request = new Request(`${this.#options.origin()}${checkoutPath}`, { method: 'POST', body });
    return (await callHandler(this.#options, request, checkoutAddress)).status;
  }

  async #subscribed(name: PersonName) {
    const { _id, apiKey } = (await this.#demo()).applications.gateway;
    const seller = { _id, client: demoClient(this.#options, apiKey) };
    const stored = await this.#one(() =>
      storedOrCreated(
        this.#options,
        nameOf(name, _id),
        () => this.#subscribe(name, seller),
        (known) => this.#options.table.hasAll([keys.subscriptionOwner(known._id), keys.user(name)]),
      ),
    );
    return { seller, stored };
  }

  async #subscribe(name: PersonName, { client }: { client: ReturnType<typeof demoClient> }): Promise<Stored> {
    const { operatorKey, plans } = await this.#demo();
    const { name: fullName, plan, presses } = people[name];
    const email = addressOf(name);
    const user = { userId: name, email, name: fullName, status: 'active', verified: true } as const;
    await demoClient(this.#options, operatorKey).upsertUser(user);
    // A client has one trial, so that each subscription is of a client of its own.
    const externalId = `${name}-${randomUUID().slice(0, 8)}`;
    await client.upsertClient({ externalId, email, name: fullName });
    const page = `${this.#options.origin()}/_local`;
    const created = await client.createSubscription({
      externalId,
      planId: plans.gateway[plan],
      successUrl: page,
      cancelUrl: page,
    });
    const { _id } = created.subscription;
    if (created.checkoutUrl === undefined) {
      // Without the sandbox, payments arrive by bank transfer.
      if (plan === 'paid') await client.activateSubscription({ id: _id });
    } else {
      for (const action of presses) await this.press(new URL(created.checkoutUrl).pathname, action);
    }
    return { _id, externalId };
  }
}

/** Where checkouts are opened from: an address of documentation (RFC 3849). */
const checkoutAddress = '2001:db8::6';

const addressOf = (name: PersonName) => `${name}@example.com`;
/** Keyed by the application's id: a new application has none of the subscriptions of the former one. */
const nameOf = (name: PersonName, applicationId: string) => `demo.people.${applicationId}.${name}`;

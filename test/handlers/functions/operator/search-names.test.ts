import { randomUUID } from 'node:crypto';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { getItem } from '../../../../functions/shared/table/table.ts';
import { call, good, newSeller, newUser, putItem } from '../../../support/call.ts';
import { signedIn } from '../../../support/samples/console.ts';
import { browse } from '../../../support/samples/forms.ts';
import { asOperator } from '../../../support/samples/operator.ts';
import {
  invoiceRecord,
  putSubscription,
  subscriptionRecord,
} from '../../../support/subscriptions/records.ts';

const hitsOf = async (query: Record<string, string>) =>
  good(await call('operator.search', await asOperator({ query }))).hits as Record<string, unknown>[];

describe('a search for a name that several records can have', () => {
  test('does not find an invoice by a number that is not its own', async () => {
    const subscription = subscriptionRecord();
    const invoice = invoiceRecord(subscription, 1, { number: 'RE-1' });
    await putSubscription(subscription, { invoices: [invoice] });
    expect(await hitsOf({ q: `INV-${subscription.referenceNumber.slice(4)}-1` })).toEqual([]);
    expect(await hitsOf({ q: invoice.invoiceId })).toMatchObject([{ title: 'RE-1' }]);
  });

  test('finds all users of an address: the one to whom an operator gave it, and those who verified it', async () => {
    const { userId, email } = await newUser();
    const second = `user-${randomUUID()}`;
    const moved = `user-${randomUUID()}`;
    await putItem({ ...keys.user(second), userId: second, email });
    await putItem({ ...keys.user(moved), userId: moved, email: `${moved}@example.com`, status: 'suspended' });
    for (const id of [second, moved, userId]) await putItem({ ...keys.verifiedAddress(email, id) });
    expect((await hitsOf({ q: email })).map((hit) => hit.id)).toEqual([userId, second]);
    expect(await hitsOf({ q: `${moved}@example.com` })).toEqual([]);
    expect(await hitsOf({ q: moved })).toMatchObject([
      { id: moved, summary: `${moved}@example.com, suspended, not verified` },
    ]);
  });

  test('finds up to 20 users of an address, with the one to whom an operator gave it', async () => {
    const { userId, email } = await newUser();
    const others = Array.from({ length: 20 }, () => `user-${randomUUID()}`);
    for (const id of others) {
      await putItem({ ...keys.user(id), userId: id, email, status: 'active' });
      await putItem({ ...keys.verifiedAddress(email, id) });
    }
    const found = await hitsOf({ q: email });
    expect([found.length, found[0]?.id]).toEqual([20, userId]);
  });

  test('finds a client of one application by words of their name, by the API, its list and the console', async () => {
    const [seller, other] = await Promise.all([newSeller(), newSeller()]);
    const { applicationId } = seller;
    const upsert = async (externalId: string, body: object) => {
      const email = `${externalId}@example.com`;
      const request = { headers: seller.headers, body: { externalId, email, ...body } };
      good(await call('clients.upsert', request));
    };
    const id = randomUUID();
    const unnamed = randomUUID();
    await upsert(id, { name: 'Zoë Müller-Groß' });
    await upsert(unnamed, {});
    await other.newClient({ name: 'Zoë Müller-Groß' });
    const listed = async (name: string) => {
      const answer = await call('clients.list', { headers: seller.headers, query: { name } });
      return good(answer).clients.map(({ externalId }: { externalId: string }) => externalId);
    };
    const shown = async (client: string) => {
      const query = { application: applicationId, client };
      const { text } = await browse('console.customer-list', { headers: await signedIn('finance'), query });
      return [id, unnamed].filter((one) => text.includes(`clients/${one}"`));
    };
    const foundBy = async (q: string) => [
      (await hitsOf({ q, applicationId })).map((hit) => hit.id),
      await listed(q),
      await shown(q),
    ];
    expect(await foundBy('ZOE mul')).toEqual([[id], [id], [id]]);
    expect(await foundBy('uller')).toEqual([[], [], []]);
    expect(await hitsOf({ q: 'Zoë Müller-Groß' })).toEqual([]);
    for (const text of [unnamed, `${unnamed}@example.com`]) expect(await shown(text)).toEqual([unnamed]);
    // A request without a name keeps it; one with another name is found by that one.
    await upsert(id, {});
    expect(await foundBy('zoe')).toEqual([[id], [id], [id]]);
    await upsert(id, { name: 'Ann Reed' });
    expect(await foundBy('zoe')).toEqual([[], [], []]);
    expect(await foundBy('re')).toEqual([[id], [id], [id]]);
    // A former release wrote no name into the index: the client is read.
    const item = await getItem(keys.client(applicationId, id));
    await putItem(Object.assign({}, item, keys.client(applicationId, id), { listed: {} }));
    expect(await foundBy('ann')).toEqual([[id], [id], [id]]);
    expect(await foundBy('zoe')).toEqual([[], [], []]);
  });

  test('finds the clients of an address in all applications, or in one', async () => {
    const sellers = await Promise.all([newSeller(), newSeller()]);
    const email = `${randomUUID()}@example.com`;
    const ids = await Promise.all(sellers.map((seller) => seller.newClient({ email })));
    const found = sellers.map(({ applicationId }, i) => ({ applicationId, id: ids[i] }));
    const byApplication = (a: { applicationId: unknown }, b: { applicationId: unknown }) =>
      String(a.applicationId) < String(b.applicationId) ? -1 : 1;
    expect(await hitsOf({ q: email })).toMatchObject(found.toSorted(byApplication));
    for (const { applicationId, id } of found)
      expect(await hitsOf({ q: email, applicationId })).toMatchObject([{ applicationId, id }]);
  });

  test('finds a client by their present address only, and once when it is also their id', async () => {
    const seller = await newSeller();
    const { applicationId } = seller;
    const externalId = `${randomUUID()}@example.com`;
    await seller.newClient({ externalId, email: externalId });
    expect(await hitsOf({ q: externalId, applicationId })).toMatchObject([{ id: externalId }]);
    await seller.newClient({ externalId, email: `new-${externalId}` });
    expect(await hitsOf({ q: externalId })).toEqual([]);
    expect(await hitsOf({ q: `NEW-${externalId}` })).toMatchObject([{ id: externalId }]);
  });

  test('finds a client whose address several requests change at once by the one that they have', async () => {
    const seller = await newSeller();
    const externalId = await seller.newClient();
    const addresses = Array.from({ length: 5 }, () => `${randomUUID()}@example.com`);
    await Promise.all(addresses.map((email) => seller.newClient({ externalId, email })));
    const found = await Promise.all(addresses.map((q) => hitsOf({ q })));
    const stored = await getItem(keys.client(seller.applicationId, externalId));
    expect(found).toEqual(addresses.map((q) => (q === stored?.email ? [expect.any(Object)] : [])));
    expect(found.flat()).toMatchObject([{ id: externalId }]);
  });

  test('finds 20 of the clients of an application with one address', async () => {
    const seller = await newSeller();
    const email = `${randomUUID()}@example.com`;
    await Promise.all(Array.from({ length: 21 }, () => seller.newClient({ email })));
    expect(await hitsOf({ q: email })).toHaveLength(20);
  });

  test('finds the documents of each seller that have a number', async () => {
    const invoices = { numbering: 'seller', invoicePrefix: `${randomUUID().slice(0, 8).toUpperCase()}-` };
    const sellers = [await newSeller('none', { invoices }), await newSeller('none', { invoices })];
    for (const seller of sellers) await seller.subscribe();
    const q = `${invoices.invoicePrefix}000001`;
    const all = await hitsOf({ q });
    expect(all.map(({ applicationId }) => applicationId).toSorted()).toEqual(
      sellers.map(({ applicationId }) => applicationId).toSorted(),
    );
    for (const { applicationId } of sellers)
      expect(await hitsOf({ q, applicationId })).toEqual([
        all.find((hit) => hit.applicationId === applicationId),
      ]);
  });
});

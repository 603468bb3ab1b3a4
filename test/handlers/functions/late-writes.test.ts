/**
 * The first attempt of a write is held on its way, so that the SDK sends the write again. That attempt is
 * acknowledged, then a newer write is acknowledged, then the held attempt arrives.
 */

import type { Key } from '../../../functions/shared/contract/keys.ts';
import { clock, secondMs } from '../../../functions/shared/runtime/clock.ts';
import { getItem } from '../../../functions/shared/table/table.ts';
import { call, goodClient, goodPlan, newSeller, newTenant, newUser } from '../../support/call.ts';
import * as accounts from '../../support/devices/accounts.ts';
import { holdFirstAttempt } from '../../support/faults.ts';
import { linkCall, newParties, submittedId } from '../../support/samples/links.ts';
import { asOperator, profile, youtubeAccount } from '../../support/samples/operator.ts';

/** Two requests that write the same record. */
interface Requests {
  /** The prefix of the record's partition or sort key. */
  prefix: string;
  older(): Promise<{ status: number }>;
  newer(): Promise<{ status: number }>;
}

const asSupport = async (id: string, params: Record<string, string>, body: object) =>
  call(id, await asOperator({ params, body }));

async function clientWrites(newerHeaders: () => Record<string, string>): Promise<Requests> {
  const seller = await newSeller();
  const client = goodClient();
  const write = (name: string, headers: Record<string, string> = {}) =>
    call('clients.upsert', {
      headers: { ...seller.headers, ...headers },
      body: { ...client, name },
    });
  return { prefix: 'CLIENT', older: () => write('Older'), newer: () => write('Newer', newerHeaders()) };
}

async function sightings(prefix: string, account: accounts.Account): Promise<Requests> {
  await account.checkIn();
  const sighting = (address: string) => () => account.checkIn(address);
  return { prefix, older: sighting('192.0.2.1'), newer: sighting('192.0.2.2') };
}

const cases: Record<string, () => Promise<Requests>> = {
  'POST /clients': () => clientWrites(() => ({})),
  'a mailed code before it is used': async () => {
    const account = accounts.newAccount();
    await account.checkIn();
    let code = '';
    const send = async () => {
      code = await accounts.requestCode(account.email);
      return { status: 200 };
    };
    return { prefix: 'CODE', older: send, newer: () => account.verify(code) };
  },
  'the sighting of a trusted device': async () => sightings('TRUSTED', await accounts.trustedAccount()),
  'the revocation of a device that is trusted again': async () => {
    const account = await accounts.trustedAccount();
    const query = { userId: account.userId, deviceHash: account.deviceId };
    const trustAgain = async () => {
      await account.checkIn();
      return account.verify(await accounts.requestCode(account.email));
    };
    return { prefix: 'DEVICE', older: () => call('devices.revoke', { query }), newer: trustAgain };
  },
  'a vault': async () => {
    const account = await accounts.trustedAccount();
    const write = (version: number, data_blob: string) => () =>
      call('vault.write', {
        headers: account.proof,
        body: { userId: account.userId, ...accounts.vaultPayload, data_blob, version },
      });
    return { prefix: 'VAULT', older: write(0, 'AAAA'), newer: write(1, 'BBBB') };
  },
  'a link': async () => {
    const parties = await newParties();
    const id = await submittedId(parties);
    const update = (title: string) => () => call('links.update', linkCall(parties, id, { title }));
    return { prefix: 'LINK', older: update('Older'), newer: update('Newer') };
  },
  'a user': async () => {
    const { userId } = await newUser();
    const body = profile();
    const write = (name: string) => () => asSupport('users.upsert', { userId }, { ...body, name });
    return { prefix: 'USER', older: write('Older'), newer: write('Newer') };
  },
  'a reset of a user': async () => {
    const account = await accounts.trustedAccount();
    await call('vault.write', {
      headers: account.proof,
      body: { userId: account.userId, ...accounts.vaultPayload },
    });
    const write = (body: object) => () => asSupport('users.reset', { userId: account.userId }, body);
    return {
      prefix: 'PROOF',
      older: write({ devices: true }),
      newer: write({ devices: true, proof: true, vault: true }),
    };
  },
  'a social account': async () => {
    const { userId } = await newUser();
    const params = { userId, platform: 'YouTube' };
    const write = (isPrimary: boolean) => () =>
      asSupport('users.social-account-upsert', params, { ...youtubeAccount, isPrimary });
    return { prefix: 'USER', older: write(true), newer: write(false) };
  },
  'a plan': async () => {
    const { applicationId: id } = await newTenant();
    const made = await call('plans.create', await asOperator({ params: { id }, body: goodPlan }));
    const params = { id, planId: made.body.plan._id };
    const update = (name: string) => async () =>
      call('plans.update', await asOperator({ params, body: { name } }));
    return { prefix: 'PLAN', older: update('Older'), newer: update('Newer') };
  },
};

let held: ReturnType<typeof holdFirstAttempt> | undefined;

afterEach(() => {
  held?.restore();
  vi.restoreAllMocks();
});

const isWriteOf = (prefix: string) => (command: string, input: object) =>
  /^(Put|Update|Delete|TransactWrite)/.test(command) && JSON.stringify(input).includes(`"${prefix}#`);

/** The keys of the items that a command writes. */
function keysOf(input: object): Key[] {
  const { TransactItems = [], ...single } = input as { TransactItems?: object[]; Key?: Key; Item?: Key };
  const ofOne = ({ Key, Item }: { Key?: Key; Item?: Key }) => Key ?? Item;
  const found = [single, ...TransactItems.flatMap((write) => Object.values(write))].map(ofOne);
  return found.flatMap((key) => (key === undefined ? [] : [{ pk: key.pk, sk: key.sk }]));
}

describe.each(Object.entries(cases))('%s', (_, prepare) => {
  test.each([
    ['', 0],
    [', by a clock that is five seconds behind', -5 * secondMs],
  ])('stands when a held attempt of an older write arrives%s', async (__, skewMs) => {
    const { prefix, older, newer } = await prepare();
    held = holdFirstAttempt(isWriteOf(prefix));
    expect((await older()).status).toBeLessThan(300);
    const written = keysOf(held.input() ?? {});
    expect(written.length).toBeGreaterThan(0);
    if (skewMs !== 0) vi.spyOn(clock, 'nowMs').mockImplementation(() => Date.now() + skewMs);
    expect((await newer()).status).toBeLessThan(300);
    const before = await Promise.all(written.map(getItem));
    await held.arrive();
    expect(await Promise.all(written.map(getItem))).toEqual(before);
  });
});

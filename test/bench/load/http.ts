import { performance } from 'node:perf_hooks';
import { services } from '../../../functions/routes.ts';
import {
  type Account,
  newAccount,
  proofOf,
  vaultPayload,
  verification,
} from '../../support/devices/accounts.ts';
import { sharePayload } from '../../support/samples/requests.ts';
import { printTable, round } from '../print.ts';
import { ask, concurrency, load, type Request, type ResponseBody } from './load.ts';
import { startServer } from './server.ts';

const count = 2_000;
const people = 50;
const { shares, devices, vault } = services;

/** Requests per second over HTTP, on a stack of its own. */
export async function benchHttp(): Promise<void> {
  const startedAt = performance.now();
  const { child, url } = await startServer();
  const readyMs = performance.now() - startedAt;
  try {
    const ids: string[] = [];
    const created = await load(url, { count, perAddress: shares.create.limit.max, network: 1 }, () => [
      { method: 'POST', path: '/api/share', body: sharePayload },
      ({ shareId }) => ids.push(shareId),
    ]);
    const burned = await load(url, { count, perAddress: count, network: 2 }, (n) => [
      { method: 'GET', path: `/api/share?id=${ids[n]}` },
      ({ data_blob }) => same(data_blob, sharePayload.data_blob),
    ]);

    const accounts: Account[] = [];
    for (let n = 0; n < people; n += 1) accounts.push(await withVault(url, `127.3.0.${n + 1}`));
    const account = (n: number) => accounts[n % people] as Account;
    const checked = await load(url, { count, perAddress: devices.check.limit.max, network: 4 }, (n) => [
      checking(account(n)),
      ({ verified }) => same(verified, true),
    ]);
    const read = await load(url, { count, perAddress: vault.read.limit.max, network: 5 }, (n) => [
      {
        method: 'GET',
        path: `/api/vault?userId=${account(n).userId}`,
        headers: proofOf(account(n)),
      },
      ({ data_blob }) => same(data_blob, vaultPayload.data_blob),
    ]);

    const rate = (perSecond: number) => `${round(perSecond, 0)} per second`;
    printTable(
      `Over HTTP on this machine, ${concurrency} at a time, data in memory`,
      ['what', 'figure', 'budget'],
      [
        ['npm start until ready', `${round(readyMs, 0)} ms`, '3000 ms'],
        ['shares created', rate(created), '-'],
        ['shares burned', rate(burned), '-'],
        ['trusted devices checked', rate(checked), '-'],
        ['small vaults read', rate(read), '-'],
      ],
    );
  } finally {
    child.kill('SIGTERM');
  }
}

function same(actual: ResponseBody, expected: unknown): void {
  if (actual !== expected) throw new Error(`Got ${actual} instead of ${expected}`);
}

function checking({ userId, uuid }: Account): Request {
  return {
    method: 'POST',
    path: '/api/auth/device-check',
    body: { userId, signals: { clientDeviceUUID: uuid } },
  };
}

/** An account with a trusted device and a vault. @param localAddress where its requests come from. */
async function withVault(url: string, localAddress: string): Promise<Account> {
  const account = newAccount();
  const { userId, email } = account;
  const send = (request: Request) => ask(url, request, { localAddress });
  const post = (path: string, body: object, headers = {}) => send({ method: 'POST', path, body, headers });
  await send(checking(account));
  await post('/api/auth/mfa/send', { email });
  const { messages } = await send({ method: 'GET', path: `/_local/mailbox?to=${encodeURIComponent(email)}` });
  const code = /\b\d{6}\b/.exec(messages[0].subject)?.[0] ?? '';
  await post('/api/auth/mfa/verify', verification(account, code).body);
  await post('/api/vault', { userId, ...vaultPayload }, proofOf(account));
  return account;
}

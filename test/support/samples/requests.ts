import { createHash, randomUUID } from 'node:crypto';
import { type Call, call } from '../call.ts';
import { newAccount, requestCode, trustedAccount, vaultPayload } from '../devices/accounts.ts';
import { accountSamples } from './account.ts';
import { consoleSamples } from './console.ts';
import { operationFormSamples } from './console-operations.ts';
import { customerSamples } from './customers.ts';
import { deliverySamples } from './deliveries.ts';
import { deployedFiles, shareScript } from './deployed-files.ts';
import { developerSamples } from './developers.ts';
import { eventSamples } from './events.ts';
import { financeSamples } from './finance.ts';
import { financeListSamples } from './finance-lists.ts';
import { financeStatementSamples } from './finance-statements.ts';
import { linkSamples } from './links.ts';
import { oauthSamples } from './oauth.ts';
import { operatorSamples } from './operator.ts';
import { subscriptionSamples } from './subscriptions.ts';
import { endpointSamples } from './webhooks.ts';

/** A valid share. */
export const sharePayload = { data_blob: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJ', iv: 'AAECAwQFBgcICQoL' };

/** A user of whom one device is known. */
async function checkedIn() {
  const account = newAccount();
  await account.checkIn();
  return account;
}

/** A request with the receipt token of a new share. */
async function receiptRequest(): Promise<Call> {
  const { body } = await call('shares.create', { body: { ...sharePayload, receipt: true } });
  return { query: { id: body.shareId }, headers: { 'x-receipt-token': body.receiptToken } };
}

/** A valid request for each route. A route without one fails the common tests. */
export const samples: Record<string, () => Call | Promise<Call>> = {
  'shares.create': () => ({ body: sharePayload }),
  'shares.open': async () => {
    const { body } = await call('shares.create', { body: sharePayload });
    return { query: { id: body.shareId } };
  },
  'shares.receipt': () => receiptRequest(),
  'shares.burn': () => receiptRequest(),
  'devices.check': async () => {
    const { userId } = await checkedIn();
    return { body: { userId, signals: { clientDeviceUUID: randomUUID() } } };
  },
  'devices.code-send': () => ({ body: { email: newAccount().email } }),
  'devices.trust': async () => {
    const account = newAccount();
    await account.checkIn();
    return account.verification(await requestCode(account.email));
  },
  'devices.list': async () => ({ query: { userId: (await checkedIn()).userId } }),
  'devices.revoke': async () => {
    const { userId, deviceId } = await checkedIn();
    return { query: { userId, deviceHash: deviceId } };
  },
  'vault.read': async () => {
    const account = await trustedAccount();
    await account.writeVault();
    return { headers: account.proof, query: { userId: account.userId } };
  },
  'vault.write': async () => {
    const account = await trustedAccount();
    return { headers: account.proof, body: { userId: account.userId, ...vaultPayload } };
  },
  ...eventSamples,
  ...linkSamples,
  ...oauthSamples,
  ...accountSamples,
  ...consoleSamples,
  ...operationFormSamples,
  ...customerSamples,
  ...developerSamples,
  ...operatorSamples,
  ...subscriptionSamples,
  ...financeSamples,
  ...financeListSamples,
  ...financeStatementSamples,
  ...endpointSamples,
  ...deliverySamples,
  'reference.home': () => ({}),
  'reference.security-txt': () => {
    process.env.SECURITY_CONTACT = 'mailto:security@example.com';
    return {};
  },
  'reference.document': deployedFiles,
  'reference.page': deployedFiles,
  'reference.group': () => {
    deployedFiles();
    return { params: { group: 'subscriptions' } };
  },
  'shares.create-page': deployedFiles,
  'shares.open-page': () => {
    deployedFiles();
    return { params: { shareId: 'o-unknown' } };
  },
  'shares.page-script': () => {
    deployedFiles();
    const hash = createHash('sha256').update(shareScript).digest('base64url');
    return { params: { file: `share-page-${hash}.js` } };
  },
};

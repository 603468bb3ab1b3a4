import { type Call, call } from '../../support/call.ts';
import { newAccount, requestCode } from '../../support/devices/accounts.ts';
import { codeSentTo } from '../../support/mail/mailbox.ts';
import type { Rules } from '../scenario.ts';
import { same, succeeded } from './succeeded.ts';

type Body = Record<string, string>;
const bodyOf = ({ body }: Call): Body => body as Body;

const revoke = (userId: string, deviceHash: string) =>
  succeeded(call('devices.revoke', { query: { userId, deviceHash } }));

async function listed(userId = '', deviceId = ''): Promise<{ is_verified?: boolean } | undefined> {
  const { body } = await succeeded(call('devices.list', { query: { userId } }));
  return body.devices.find((device: Body) => device.device_fingerprint_hash === deviceId);
}

/** Trusts the newest code that was mailed. */
async function trustWithMailedCode(email: string): Promise<void> {
  const account = newAccount({ email });
  await account.checkIn();
  await succeeded(account.verify(await codeSentTo(email)));
}

/** A late copy can make or remove the quarantine record of a device. It gives no access, and the next check makes it. */
/** From where the master password was proved is true, also when it is recorded late. */
const provedAddress = [
  'passwordProvedAtMs, passwordProvedFrom of DEVICE/TRUSTED',
  'passwordProvedFrom, passwordProvedAtMs of DEVICE/TRUSTED',
];
const quarantined = ['DEVICE/QUARANTINED'];

/** Shares, devices and vaults. */
export const accountRules: Readonly<Record<string, Rules>> = {
  'shares.create': {
    repeatMakesAnother: true,
    // Opening consumes the share: a late write must not bring it back.
    verify: async ({ body }, answer) => {
      const opened = await succeeded(call('shares.open', { query: { id: answer.body.shareId } }));
      same('data_blob', opened.body.data_blob, (body as Body).data_blob);
    },
  },
  'shares.open': {
    // The claim was carried out and none of its responses arrived: nobody has the secret.
    repeated: [404],
    // A late removal takes away what the reader has. A view whose response was lost is followed by another one.
    mayDiffer: ['SHARE/HEAD', 'SHARE/PART'],
    verify: async (_, answer) => {
      if (typeof answer.body.data_blob !== 'string') throw new Error('the share has no content');
    },
  },
  // A late count counts the wrong proof once more.
  'shares.open: wrong proof': { mayDiffer: ['SHARE/HEAD'] },
  'shares.open: wrong proof, 16 KiB': { mayDiffer: ['SHARE/HEAD'] },
  'shares.burn': {
    verify: async (request) => {
      const { body } = await succeeded(call('shares.receipt', request));
      same('status', body.status, 'burned');
      same('opening', (await call('shares.open', { query: request.query ?? {} })).status, 404);
    },
  },
  'devices.check: unknown': {
    mayDiffer: quarantined,
    change: ({ body }, answer) => revoke((body as Body).userId ?? '', answer.body.deviceId),
  },
  'devices.check: quarantined': {
    mayDiffer: quarantined,
    change: ({ body }, answer) => revoke((body as Body).userId ?? '', answer.body.deviceId),
  },
  'devices.check: trusted': {
    change: ({ body }, answer) => revoke((body as Body).userId ?? '', answer.body.deviceId),
  },
  'devices.code-send': {
    verify: (request) => codeSentTo(bodyOf(request).email ?? ''),
    change: async (request) => {
      const { email = '' } = bodyOf(request);
      await requestCode(email);
      await trustWithMailedCode(email);
    },
  },
  'devices.trust: right': {
    repeated: [400],
    // The timer send-alerts sends a mail that is still due.
    mayDiffer: ['ALERT/*'],
    verify: async (request) => {
      const { userId, deviceId } = bodyOf(request);
      const device = await listed(userId, deviceId);
      if (device === undefined) throw new Error('the device is not listed');
    },
    change: (request) => revoke(bodyOf(request).userId ?? '', bodyOf(request).deviceId ?? ''),
  },
  'devices.revoke: a trusted one': {
    mayDiffer: quarantined,
    verify: async ({ query }) => {
      if ((await listed(query?.userId, query?.deviceHash)) !== undefined)
        throw new Error('the device is still listed');
    },
    change: async ({ query }) => {
      const deviceId = query?.deviceHash ?? '';
      const account = newAccount({ userId: query?.userId ?? '', uuid: deviceId.replace('client-', '') });
      await succeeded(account.checkIn());
    },
  },
  'vault.read': { mayDiffer: provedAddress },
  'vault.write': {
    mayDiffer: provedAddress,
    verify: async ({ headers = {}, body }, answer) => {
      const { userId = '', data_blob } = body as Body;
      const read = await succeeded(call('vault.read', { headers, query: { userId } }));
      same('version', read.body.version, answer.body.version);
      same('data_blob', read.body.data_blob, data_blob);
    },
    change: ({ headers = {}, body }, answer) =>
      succeeded(
        call('vault.write', {
          headers,
          body: { ...(body as Body), data_blob: 'bmV3ZXI', version: answer.body.version },
        }),
      ),
  },
};

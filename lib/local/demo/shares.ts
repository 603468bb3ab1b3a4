import * as keys from '../../../functions/shared/contract/keys.ts';
import { encryptShare } from '../../client/index.ts';
import { itemExists } from '../table.ts';
import { type DemoOptions, demoClient } from './demo-client.ts';

/** A share to open: GET /api/share?id=<shareId>, then decrypt with the key. */
interface DemoShare {
  shareId: string;
  /** AES-256-GCM key in Base64url, as in the fragment of a link. */
  key: string;
  expiresAt: string;
}

export interface DemoShares {
  /** Can be opened repeatedly. */
  repeated: DemoShare;
  /** Can be opened once. Afterwards the demo data contains a new one. */
  oneTime: DemoShare;
}

/** The demo shares, created when missing. */
export async function demoShares(options: DemoOptions): Promise<DemoShares> {
  return {
    repeated: await share(options, 'repeated', 'This share opens as often as you like.'),
    oneTime: await share(options, 'oneTime', 'This share opens once.'),
  };
}

async function share(options: DemoOptions, kind: keyof DemoShares, text: string): Promise<DemoShare> {
  const { state, nowMs, endpoint, tableName } = options;
  const name = `demo.shares.${kind}`;
  const known = state.get(name) as DemoShare | undefined;
  if (known !== undefined && Date.parse(known.expiresAt) > nowMs()) {
    // An opened one-time share leaves its head without the ciphertext.
    if (await itemExists(endpoint, tableName, keys.share(known.shareId), 'data')) return known;
  }
  const made = await createShare(options, text, kind === 'oneTime');
  state.set(name, made);
  return made;
}

async function createShare(options: DemoOptions, text: string, oneTime: boolean): Promise<DemoShare> {
  const { payload, key } = await encryptShare(text);
  const body = { ...payload, one_time: oneTime, expires_in_hours: 168 };
  const { shareId, expiresAt } = await demoClient(options).createShare(body);
  return { shareId, key, expiresAt };
}

import * as keys from '../../shared/contract/keys.ts';
import { tableSchema } from '../../shared/contract/table-schema.ts';
import { copyLeaseMs, giveUpAfterMs, isGivenUp } from '../../shared/mail/attempts.ts';

interface AlertedDevice {
  deviceName: string;
  os: string;
  ipAddress: string;
  location: string;
  isp: string;
}

/** A New Device Login mail that is due. It is stored with the trust and deleted once SES has accepted the mail. */
export interface Alert extends AlertedDevice {
  alertId: string;
  to: string;
  trustedAtMs: number;
  /** The account page of the API at which the device was verified. */
  accountPage: string;
  attempts: number;
  /** Tries after which SES may have accepted the mail, the current one included. */
  possibleCopies: number;
  /** Until then (epoch ms) only the holder of the lease may send it. */
  leasedUntilMs: number;
  [tableSchema.timeToLive]: number;
}

/** The alert for a device that is being trusted. The caller has the first lease and makes the first try. */
export function createAlert(
  device: AlertedDevice,
  { to, accountPage }: Pick<Alert, 'to' | 'accountPage'>,
  alertId: string,
  nowMs: number,
): Alert {
  const { deviceName, os, ipAddress, location, isp } = device;
  return {
    alertId,
    to,
    deviceName,
    os,
    ipAddress,
    location,
    isp,
    trustedAtMs: nowMs,
    accountPage,
    attempts: 1,
    possibleCopies: 1,
    leasedUntilMs: nowMs + copyLeaseMs(1),
    ...keys.timeToLive(nowMs + giveUpAfterMs),
  };
}

/** Whether an alert is given up: after three days it is no longer news. */
export function isAlertGivenUp({ trustedAtMs, possibleCopies }: Alert, nowMs: number): boolean {
  return isGivenUp({ copies: possibleCopies, dueSinceMs: trustedAtMs }, nowMs);
}

/** Ids are random, so their first character distributes alerts over the shards. */
export function alertKey({ alertId }: Pick<Alert, 'alertId'>): keys.Key {
  return keys.alert(alertId.charCodeAt(0) % keys.alertShards, alertId);
}

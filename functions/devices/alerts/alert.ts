import { alertShards, type Key, keys, tableSchema } from '../../shared/contract/keys.ts';
import { dayMs, hourMs, minuteMs } from '../../shared/runtime/duration.ts';

/** A sender that has not finished after this time is considered dead. */
const firstLeaseMs = minuteMs;
const maxLeaseMs = hourMs;
/** An alert that could not be sent for this long is abandoned, because it is no longer news. */
const retentionMs = 3 * dayMs;

/** The description of the device in an alert. */
interface AlertedDevice {
  deviceName: string;
  os: string;
  ipAddress: string;
  location: string;
  isp: string;
}

/**
 * A New Device Login mail that is due. It is stored with the trust and deleted once SES has accepted the
 * mail.
 */
export interface Alert extends AlertedDevice {
  alertId: string;
  to: string;
  trustedAtMs: number;
  attempts: number;
  /** Until then (epoch ms) only the holder of the lease may send it. */
  leasedUntilMs: number;
  /** The random id of the lease. Absent for the first one. */
  leaseId?: string;
  [tableSchema.timeToLive]: number;
}

/** The alert for a device that is being trusted. The caller has the first lease. */
export function createAlert(device: AlertedDevice, to: string, alertId: string, nowMs: number): Alert {
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
    attempts: 1,
    leasedUntilMs: nowMs + firstLeaseMs,
    [tableSchema.timeToLive]: Math.ceil((nowMs + retentionMs) / 1000),
  };
}

/** When the lease of the next attempt ends (epoch ms). Leases double with each attempt, up to an hour. */
export function leaseEndMs(attempts: number, nowMs: number): number {
  return nowMs + Math.min(firstLeaseMs * 2 ** attempts, maxLeaseMs);
}

/** Whether an alert is too old to be sent. */
export function isAbandoned({ trustedAtMs }: Alert, nowMs: number): boolean {
  return nowMs >= trustedAtMs + retentionMs;
}

/** Ids are random, so their first character distributes alerts over the shards. */
export function alertKey({ alertId }: Pick<Alert, 'alertId'>): Key {
  return keys.alert(alertId.charCodeAt(0) % alertShards, alertId);
}

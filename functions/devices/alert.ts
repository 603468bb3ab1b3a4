import { alertShards, type Key, keys, tableSchema } from '../shared/contract/keys.ts';
import type { Device } from './device.ts';

const minuteMs = 60_000;
/** A sender that has said nothing for so long is taken to have died. */
const firstLeaseMs = minuteMs;
const longestLeaseMs = 60 * minuteMs;
/** An alert that could not be sent for so long is given up: who signed in days ago is news no more. */
const retentionMs = 3 * 24 * 60 * minuteMs;

/** A New Device Login mail that is due: written with the trust itself, removed once SES has the mail. */
export interface Alert extends Pick<Device, 'deviceName' | 'os' | 'ipAddress' | 'location' | 'isp'> {
  alertId: string;
  to: string;
  trustedAtMs: number;
  attempts: number;
  /** Until then (epoch ms) it is somebody's to send. */
  leasedUntilMs: number;
  [tableSchema.timeToLive]: number;
}

/** The alert of a device that is being trusted; the first lease is the caller's. */
export function dueAlert(device: Device, to: string, alertId: string, nowMs: number): Alert {
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

/** Until when the next attempt is somebody's alone: twice as long each time, up to an hour. */
export function leaseMs(attempts: number, nowMs: number): number {
  return nowMs + Math.min(firstLeaseMs * 2 ** attempts, longestLeaseMs);
}

export function isGivenUp({ trustedAtMs }: Alert, nowMs: number): boolean {
  return nowMs >= trustedAtMs + retentionMs;
}

/** Ids are random, so their first character spreads them over the shards. */
export function alertKey({ alertId }: Pick<Alert, 'alertId'>): Key {
  return keys.alert(alertId.charCodeAt(0) % alertShards, alertId);
}

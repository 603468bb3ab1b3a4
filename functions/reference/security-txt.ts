import { endpoint, found, type Input, Reply } from '../shared/lambda/endpoint.ts';
import { clock, dayMs, isoTime } from '../shared/runtime/clock.ts';
import * as env from '../shared/runtime/env.ts';
import { securityTxtRoute } from './routes.ts';

/** RFC 9116 recommends less than a year: who reads the file later than that asks again. */
const validMs = 180 * dayMs;

/** Returns whom to tell of a vulnerability: RFC 9116. Without a contact there is no such file, because it would be invalid. */
export function readSecurity({ baseUrl }: Input<typeof securityTxtRoute>): Reply {
  const contact = found(env.securityContact());
  const lines = [
    `Contact: ${contact}`,
    `Expires: ${isoTime(clock.nowMs() + validMs)}`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl}${securityTxtRoute.path}`,
  ];
  return new Reply(200, { body: `${lines.join('\n')}\n` });
}

export const handler = endpoint(securityTxtRoute, readSecurity);

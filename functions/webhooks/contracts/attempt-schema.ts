import * as z from 'zod/mini';
import { sendErrors } from '../deliveries/send-errors.ts';
import { described } from './described.ts';

export const AttemptSchema = z.object({
  at: z.iso.datetime(),
  durationMs: z.int(),
  status: z.optional(z.int().check(described('The HTTP status. Absent when nothing was answered.'))),
  error: z.optional(
    z
      .enum(sendErrors)
      .check(
        described(
          '`timeout`: not answered within 15 seconds. `dns`: the name was not resolved. `refused_address`: an address or port to which nothing is delivered. `connection`: no connection, or it broke. `tls`: no TLS connection, or a certificate that does not verify. `protocol`: the answer was not HTTP. `redirect`: the answer was a redirect, which is not followed.',
        ),
      ),
  ),
  body: z.optional(z.string().check(described('The first KB of the answer.'))),
});

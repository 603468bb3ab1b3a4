/**
 * Why a request has no usable answer. `timeout`: not answered within 15 seconds. `dns`: the name was not resolved.
 * `refused_address`: the address, or its port, is none that the service sends to. `connection`: no connection, or it broke.
 * `tls`: no TLS connection, or a certificate that does not verify. `protocol`: what came was no HTTP. `redirect`: the answer
 * was a redirect, which is not followed.
 */
export const sendErrors = [
  'timeout',
  'dns',
  'refused_address',
  'connection',
  'tls',
  'protocol',
  'redirect',
] as const;
export type SendError = (typeof sendErrors)[number];

import { generate } from 'selfsigned';

/**
 * A certificate of 127.0.0.1 that is its own authority. It is valid whatever the date of the run is: TLS judges it by the
 * clock of the system.
 */
export const loopbackCertificate = () =>
  generate([{ name: 'commonName', value: '127.0.0.1' }], {
    notBeforeDate: new Date('2020-01-01T00:00:00Z'),
    notAfterDate: new Date('2120-01-01T00:00:00Z'),
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] },
    ],
  });

import type { Operation } from '../openapi/types.ts';
import { escaped } from './markup.ts';
import { linkFrom, type Place } from './site.ts';

/** A device presents them beside its other proofs, if it has them. */
const ofDevices: ReadonlySet<string> = new Set(['deviceToken', 'deviceKey']);

/** Who has the credentials of a requirement. */
const callers: Readonly<Record<string, string>> = {
  '': 'anybody',
  clientSecret: 'an application with its client secret',
  accessToken: 'an application for a user, with an access token',
  apiKey: 'an application with its API key',
  operatorKey: 'an operator',
  'operatorKey applicationId': 'an operator for an application',
  'deviceId authHash': 'a trusted device with the proof of the master password',
  'deviceId accessToken': 'a trusted device with an access token',
};

/** Who may call an operation, in a sentence, with links to how they authenticate. */
export function callersMarkup({ security }: Operation, place: Place): string {
  const requirements = security.length === 0 ? [{}] : security;
  const kinds = requirements.map((one) =>
    Object.keys(one)
      .filter((name) => !ofDevices.has(name))
      .join(' '),
  );
  const who = [...new Set(kinds)].map((kind) => callers[kind] ?? kind).join(', or ');
  const names = [...new Set(requirements.flatMap((one) => Object.keys(one)))];
  const links = names.map(
    (name) => `<a href="${linkFrom(place, undefined, `auth-${name}`)}">${escaped(name)}</a>`,
  );
  const sentence = `${who.charAt(0).toUpperCase()}${who.slice(1)}.`;
  return `<p>${sentence}${links.length > 0 ? ` See ${links.join(', ')}.` : ''}</p>`;
}

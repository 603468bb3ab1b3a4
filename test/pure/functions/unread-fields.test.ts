/** A field of a request that the code never reads would be accepted, documented and thrown away. */

import { registeredRoutes } from '../../../functions/routes.ts';
import { addedField, fieldPath, inputOf, objectsIn } from '../../support/fields/input-object.ts';
import { unreadFields } from '../../support/fields/unread.ts';

/** Objects that are stored whole and read by other services than the one that stores them. */
const readAnywhere = ['applications.create body.settings'];

/** The fields that no code here reads on purpose, and why. */
const ignored: Readonly<Record<string, string>> = {
  'shares.open-page params.shareId': 'The script of the page reads it from the address.',
  'oauth.revoke body.token_type_hint':
    'RFC 7009 section 2.1 allows it, and the form of a token tells its type.',
  'devices.trust body.devicePublicKey.kty': 'Node.js reads the key.',
  'devices.trust body.devicePublicKey.crv': 'Node.js reads the key.',
  'devices.trust body.devicePublicKey.x': 'Node.js reads the key.',
  'devices.trust body.devicePublicKey.y': 'Node.js reads the key.',
  'devices.trust body.devicePublicKey.d': 'The schema refuses it: a private key is not sent.',
};

/** As in the contracts, with one more field in each object: both answers from one walk through the code. */
const unread = registeredRoutes().flatMap((route) => unreadFields(route, readAnywhere, isObject));

function isObject(path: string): boolean {
  return path !== '';
}

const isAdded = (field: string): boolean => field.endsWith(`.${addedField}`);

test('the code of a route reads each field of its requests', () => {
  const found = unread.filter((field) => !isAdded(field));
  expect(found, 'read them, or name the reason in `ignored`').toEqual(
    expect.arrayContaining(Object.keys(ignored)),
  );
  expect(found.filter((field) => !(field in ignored))).toEqual([]);
});

test('a field that is added to a contract alone is found, in whichever object of a request it is', () => {
  const objects = registeredRoutes().flatMap(({ id, route }) =>
    objectsIn(inputOf(route))
      .filter(({ path }) => isObject(path))
      .map(({ path }) => `${id} ${fieldPath(path, addedField)}`),
  );
  expect(unread.filter(isAdded).sort()).toEqual(objects.sort());
});

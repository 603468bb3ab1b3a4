/** The ids, keys and codes of examples. Each stands for one that the caller has. They belong to nothing. */
const records: Readonly<Record<string, string>> = {
  userId: 'user-1',
  externalId: 'user-4711',
  planId: 'pln_01jd3b7q0000e5w3v9f2k4m6p8',
  subscriptionId: 'sub_01jd3b7q0000e5w3v9f2k4m6p8',
  invoiceId: 'inv_01jd3b7q0000e5w3v9f2k4m6p8',
  linkId: 'lnk_01jd3b7q0000e5w3v9f2k4m6p8',
  linkIds: 'lnk_01jd3b7q0000e5w3v9f2k4m6p8',
  deviceId: 'client-b4f1c1de-0d9e-4c7b-9a55-2f0e7c1d8a11',
  reference: 'SUB-7K3M9XQP',
  userEmail: 'ann@example.com',
  code: '123456',
  client_id: 'app_01jd3b7q0000e5w3v9f2k4m6p8',
  client_secret: 'vcs_8Jm2kQ0fT5xWc1hVnRbL4A',
  redirect_uri: 'https://app.example/callback',
  code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  token: 'vat_8Jm2kQ0fT5xWc1hVnRbL4A',
  form: 'Rk9STQ8Jm2kQ0fT5xWc1hVnRbL4A',
  application: 'app_01jd3b7q0000e5w3v9f2k4m6p8',
  device: 'client-b4f1c1de-0d9e-4c7b-9a55-2f0e7c1d8a11',
  payment: 'pay_01jd3b7q0000e5w3v9f2k4m6p8',
  applicationId: 'app_01jd3b7q0000e5w3v9f2k4m6p8',
  clientId: 'app_01jd3b7q0000e5w3v9f2k4m6p8',
  webhookId: 'whk_01jd3b7q0000e5w3v9f2k4m6p8',
  eventId: 'evt_01jd3b7q0000e5w3v9f2k4m6p8',
  deliveryId: 'dlv_01jd3b7q0000e5w3v9f2k4m6p8',
  key: '<vok_...>',
  keyId: 'key_01jd3b7q0000e5w3v9f2k4m6p8',
  referenceNumber: 'SUB-7K3M9XQP',
};

const texts: Readonly<Record<string, string>> = {
  email: 'ann@example.com',
  name: 'Ann Example',
  title: 'Ann on YouTube',
  url: 'https://www.youtube.com/@ann',
  username: 'ann',
  currency: 'EUR',
  description: 'Everything, for one person.',
  features: 'Everything',
  number: 'INV-000123',
  platform: 'YouTube',
  sourceId: 'transfer-2026-01-31-1',
  day: '2026-01-31',
  eventType: 'subscription.activated',
  types: 'subscription.activated',
  hint: 'vak_8Jm2',
};

/** The prefix of the ids of records by the segment of the path before them, and by the name of their field in an answer. */
const prefixes: Readonly<Record<string, string>> = {
  'trust-links': 'lnk',
  reviews: 'lnk',
  subscriptions: 'sub',
  invoices: 'inv',
  'credit-notes': 'crn',
  payments: 'pay',
  'bank-statements': 'bst',
  webhooks: 'whk',
  deliveries: 'dlv',
  events: 'evt',
  applications: 'app',
  stripe: 'app',
  keys: 'key',
  audit: 'app',
  plans: 'pln',
  statements: 'bst',
  links: 'lnk',
};

/** A plan of the application in the path. The other plan is the caller's own. */
export const operatedPlan = 'pln_01jd3c2m0000a7r5t1x8h6n4q2';

/** The example of an id in a path: that of the segment before it. */
export function pathRecordOf(path: string, name: string): string | undefined {
  if (name === 'planId') return operatedPlan;
  const segments = path.split('/');
  const prefix = prefixes[segments[segments.indexOf(`{${name}}`) - 1] ?? ''];
  if (prefix !== undefined) return `${prefix}_01jd3b7q0000e5w3v9f2k4m6p8`;
  return name.endsWith('Id') ? recordOf(name) : undefined;
}

/** The example of the `_id` of a record in the field `trustLink`, or of those in `trustLinks`. */
export function ownIdOf(field: string): string | undefined {
  const segment = field
    .replaceAll(/_?([A-Z]|(?<=_)[a-z])/g, (_, letter: string) => `-${letter.toLowerCase()}`)
    .replace(/s?$/, 's');
  const prefix = prefixes[segment];
  return prefix === undefined ? undefined : `${prefix}_01jd3b7q0000e5w3v9f2k4m6p8`;
}

/** The example of an id, a key or a code by the name of its field. */
export const recordOf = (name: string): string | undefined =>
  Object.hasOwn(records, name) ? records[name] : undefined;

/** The example of another text by the name of its field. */
export const textOf = (name: string): string | undefined =>
  Object.hasOwn(texts, name) ? texts[name] : undefined;

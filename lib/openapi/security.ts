import type { Auth } from '../../functions/shared/contract/callers.ts';
import type { SecurityRequirement, SecurityScheme } from './types.ts';

interface Security {
  /** Each entry suffices by itself. Without entries the operation is public. */
  readonly requirements: readonly SecurityRequirement[];
  /** The schemes that the requirements name. */
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
}

const bearer = (description: string): SecurityScheme => ({ type: 'http', scheme: 'bearer', description });

const accessToken = bearer(
  'An access token (`vat_...`) from the authorization code flow. It identifies the user.',
);

/** Each is the proof of possession of a device, in addition to its id. */
const deviceProofSchemes: Readonly<Record<string, SecurityScheme>> = {
  deviceToken: {
    type: 'apiKey',
    in: 'header',
    name: 'x-device-token',
    description: [
      'Proof of possession of the device, beside `x-device-id`: the `deviceToken` of POST /api/auth/mfa/verify. A device that',
      'has presented its proof once must present it always.',
    ].join('\n'),
  },
  deviceKey: {
    type: 'apiKey',
    in: 'header',
    name: 'DPoP',
    description: [
      'Proof of possession of the device, beside `x-device-id`, for a device that registered a `devicePublicKey`: a DPoP',
      'proof (RFC 9449 section 4.2) for this request. Header: `typ` is `dpop+jwt`, `alg` is `ES256`, `jwk` is the public',
      'key. Claims: `htm` is the method, `htu` is the URL without query, `iat` is within 60 seconds of the time of the',
      'server, `jti` has 12 to 256 visible ASCII characters and is used once, and `content_digest` is the base64url SHA-256',
      'of the body. It is absent without a body. The details of a 403 name what is wrong (`deviceProof`) and the time of',
      'the server (`serverTime`).',
    ].join('\n'),
  },
};

const management: Security = {
  requirements: [
    { deviceId: [], authHash: [] },
    { deviceId: [], authHash: [], deviceToken: [] },
    { deviceId: [], authHash: [], deviceKey: [] },
  ],
  schemes: {
    deviceId: {
      type: 'apiKey',
      in: 'header',
      name: 'x-device-id',
      description: 'ID of a trusted device of the user.',
    },
    authHash: {
      type: 'apiKey',
      in: 'header',
      name: 'x-auth-hash',
      description: [
        'Proof of the master password, as 64 lowercase hexadecimal digits: the HMAC-SHA-256 of `server-auth-check` under the',
        "256-bit key that PBKDF2 (SHA-256, 100,000 iterations, salt = the user's salt text followed by `_AUTH`) derives from",
        'the master password.',
      ].join('\n'),
    },
    ...deviceProofSchemes,
  },
};

const clientSecret: SecurityScheme = {
  type: 'http',
  scheme: 'bearer',
  description:
    "The application's client secret (`vcs_...`). It gives access to links and OAuth, with their webhooks and events. A request for the links of a user names the user as well.",
};

const apiKey: SecurityScheme = {
  type: 'http',
  scheme: 'bearer',
  description:
    "The application's API key (`vak_...`). It gives access to the application's subscriptions, with their webhooks and events.",
};

const operatorKey = bearer(
  'An operator key (`vok_...`) of a person. Each operation says which scope it needs: `review`, `support`, `finance` or `admin`, which has all.',
);

/** One description for all routes: schemes of one name are one scheme of the document. */
const applicationIdScheme: SecurityScheme = {
  type: 'apiKey',
  in: 'header',
  name: 'x-application-id',
  description:
    'Beside an operator key: the id of the application (`app_...`) that the operator acts for. With a client secret or an API key it may be left out; it must not name another application.',
};

/** The documentation of each authentication method. A method that is missing here does not compile. */
export const security: Readonly<Record<Auth, Security>> = {
  none: { requirements: [], schemes: {} },
  device: { requirements: [{}, { deviceToken: [] }, { deviceKey: [] }], schemes: deviceProofSchemes },
  links: {
    requirements: [{ clientSecret: [] }, { accessToken: [] }],
    schemes: { clientSecret, accessToken },
  },
  apiKey: { requirements: [{ apiKey: [] }], schemes: { apiKey } },
  application: {
    requirements: [{ clientSecret: [] }, { apiKey: [] }, { operatorKey: [], applicationId: [] }],
    schemes: {
      clientSecret,
      apiKey,
      operatorKey,
      applicationId: applicationIdScheme,
    },
  },
  seller: {
    requirements: [{ apiKey: [] }, { operatorKey: [], applicationId: [] }],
    schemes: { apiKey, operatorKey, applicationId: applicationIdScheme },
  },
  operator: { requirements: [{ operatorKey: [] }], schemes: { operatorKey } },
  anyOperator: { requirements: [{ operatorKey: [] }], schemes: { operatorKey } },
  // An access token needs the scope `vault`.
  proof: {
    requirements: [
      ...management.requirements,
      { deviceId: [], accessToken: [] },
      { deviceId: [], accessToken: [], deviceToken: [] },
      { deviceId: [], accessToken: [], deviceKey: [] },
    ],
    schemes: { ...management.schemes, accessToken },
  },
  // The empty requirement: a deployment demands the proof only if it is configured to.
  management: { ...management, requirements: [{}, ...management.requirements] },
};

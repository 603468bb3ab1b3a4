import type { Auth } from '../../functions/shared/contract/route.ts';
import type { SecurityRequirement, SecurityScheme } from './types.ts';

interface Security {
  /** Each entry suffices by itself. Without entries the operation is public. */
  readonly requirements: readonly SecurityRequirement[];
  /** The schemes that the requirements name. */
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
}

const accessToken: SecurityScheme = {
  type: 'http',
  scheme: 'bearer',
  description: 'An access token (`vat_...`) from the authorization code flow. It identifies the user.',
};

const management: Security = {
  requirements: [{ deviceId: [], authHash: [] }],
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
  },
};

/** The documentation of each authentication method. A method that is missing here does not compile. */
export const security: Readonly<Record<Auth, Security>> = {
  none: { requirements: [], schemes: {} },
  links: {
    requirements: [{ clientSecret: [] }, { accessToken: [] }],
    schemes: {
      clientSecret: {
        type: 'http',
        scheme: 'bearer',
        description: "The application's client secret (`vcs_...`). The request names the user.",
      },
      accessToken,
    },
  },
  apiKey: {
    requirements: [{ apiKey: [] }],
    schemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description:
          "The application's API key (`vak_...`). It gives access to the application's subscriptions.",
      },
    },
  },
  operator: {
    requirements: [{ operatorKey: [] }],
    schemes: {
      operatorKey: { type: 'http', scheme: 'bearer', description: 'An operator key (`vok_...`).' },
    },
  },
  // An access token needs the scope `vault`.
  proof: {
    requirements: [...management.requirements, { deviceId: [], accessToken: [] }],
    schemes: { ...management.schemes, accessToken },
  },
  // The empty requirement: a deployment demands the proof only if it is configured to.
  management: { ...management, requirements: [{}, ...management.requirements] },
};

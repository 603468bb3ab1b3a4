import type { Auth } from '../../functions/shared/contract/route.ts';
import type { SecurityRequirement, SecurityScheme } from './types.ts';

interface Security {
  /** Each entry alone suffices; none at all: the operation is open. */
  readonly requirements: readonly SecurityRequirement[];
  /** What the requirements name. */
  readonly schemes: Readonly<Record<string, SecurityScheme>>;
}

const accessToken: SecurityScheme = {
  type: 'http',
  scheme: 'bearer',
  description: 'An access token (`vat_...`) of the authorization code flow; it names the user.',
};

const management: Security = {
  requirements: [{ deviceId: [], authHash: [] }],
  schemes: {
    deviceId: {
      type: 'apiKey',
      in: 'header',
      name: 'x-device-id',
      description: 'The id of a trusted device of the user.',
    },
    authHash: {
      type: 'apiKey',
      in: 'header',
      name: 'x-auth-hash',
      description: [
        '64 lowercase hexadecimal digits: the HMAC-SHA-256 of `server-auth-check` under the 256-bit key that PBKDF2',
        "(SHA-256, 100,000 iterations, salt = the user's salt text followed by `_AUTH`) derives from the master password.",
      ].join('\n'),
    },
  },
};

/** How each way of authenticating is described; one that is missing here does not compile. */
export const security: Readonly<Record<Auth, Security>> = {
  none: { requirements: [], schemes: {} },
  links: {
    requirements: [{ clientSecret: [] }, { accessToken: [] }],
    schemes: {
      clientSecret: {
        type: 'http',
        scheme: 'bearer',
        description: "The application's client secret (`vcs_...`); the user is named in the request.",
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
        description: "The application's API key (`vak_...`), which opens its subscriptions.",
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
  // An empty requirement: a deployment asks for the proof only when it is set to.
  management: { ...management, requirements: [{}, ...management.requirements] },
};

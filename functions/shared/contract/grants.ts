import type { Auth } from './callers.ts';
import type { IndexName } from './table-schema.ts';

/** The prefixes of partition keys: each names a type of record. */
export type KeyPrefix =
  | 'ACCESSTOKEN'
  | 'ACCOUNTSESSION'
  | 'ADDRESS'
  | 'ALERT'
  | 'APIKEY'
  | 'APP'
  | 'AUDIT'
  | 'AUTHORIZATIONCODE'
  | 'BANKSTATEMENT'
  | 'CLIENT'
  | 'CLIENTSECRET'
  | 'CODE'
  | 'CONSENT'
  | 'CONSOLESESSION'
  | 'DELIVERY'
  | 'DEVICE'
  | 'DIRECTORY'
  | 'DOCUMENT'
  | 'DPOP'
  | 'EVENT'
  | 'EVENTLIST'
  | 'GATEWAY'
  | 'GIVENUP'
  | 'GRANT'
  | 'HELD'
  | 'HISTORY'
  | 'IDEMPOTENCY'
  | 'INVOICE'
  | 'INVOICESERIES'
  | 'JOURNAL'
  | 'LINK'
  | 'LIST'
  | 'MAILBOX'
  | 'NAME'
  | 'OPERATOR'
  | 'OPERATORKEY'
  | 'OUTBOX'
  | 'PAYMENT'
  | 'PAYOUT'
  | 'PLAN'
  | 'PROOF'
  | 'QUEUE'
  | 'QUOTA'
  | 'RATE'
  | 'REFERENCE'
  | 'REFRESHTOKEN'
  | 'REPORT'
  | 'REVIEWCLAIM'
  | 'SHARE'
  | 'SUBSCRIPTION'
  | 'TIMER'
  | 'USER'
  | 'VAULT'
  | 'VERIFIEDADDRESS'
  | 'WEBHOOK'
  | 'WEBHOOKSECRET';

type TableAction =
  | 'GetItem'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'BatchGetItem'
  | 'ConditionCheckItem'
  | 'Query';

/**
 * Resources other than the table: SES without and with attachments, the geolocation data, the deployment key,
 * the device-profiling service, starting and watching the timers of subscriptions, the Stripe keys of
 * applications, starting the first and the later attempts of webhook deliveries, starting imports of bank
 * statements. `enrolment`, `deviceProof`, `securityContact`, `sandboxGateway` and `applicationRate` are settings of the stage, which only some functions know.
 */
export type Resource =
  | 'mail'
  | 'rawMail'
  | 'geo'
  | 'deploymentKey'
  | 'deviceProfiling'
  | 'timers'
  | 'watchTimers'
  | 'stripe'
  | 'webhookDelivery'
  | 'webhookRetries'
  | 'bankImport'
  | 'enrolment'
  | 'deviceProof'
  | 'securityContact'
  | 'sandboxGateway'
  | 'applicationRate';

/**
 * The partitions that start with a prefix; or of these, with `#*`, the ones of further segments. `SHARE#*` covers the
 * parts of shares (`SHARE#id#1`) and no head (`SHARE#id`): segments are percent-encoded.
 */
type Partitions = KeyPrefix | `${KeyPrefix}#*`;

export interface Grants {
  /** Table actions by partitions. */
  readonly table?: Readonly<Partial<Record<Partitions, readonly TableAction[]>>>;
  /** Queried indexes, with the prefixes of their partition keys. No prefixes where the keys are ids. */
  readonly indexes?: Readonly<Partial<Record<IndexName, readonly KeyPrefix[]>>>;
  /** Names of generated files deployed with the bundle, in `FILES_DIR`. */
  readonly files?: readonly string[];
  readonly uses?: readonly Resource[];
}

/** All that some grants allow. */
export const mergedGrants = (all: readonly Grants[]): Grants => ({
  table: merged(all.map(({ table = {} }) => table)),
  indexes: merged(all.map(({ indexes = {} }) => indexes)),
  files: [...new Set(all.flatMap(({ files = [] }) => files))],
  uses: [...new Set(all.flatMap(({ uses = [] }) => uses))],
});

/** Lists by names, each with the values that it has in one of several. */
function merged<V>(all: readonly Readonly<Record<string, readonly V[]>>[]): Record<string, V[]> {
  const names = new Set(all.flatMap((lists) => Object.keys(lists)));
  return Object.fromEntries(
    [...names].map((name) => [name, [...new Set(all.flatMap((lists) => lists[name] ?? []))]]),
  );
}

const proofGrants: Grants = {
  table: {
    DEVICE: ['GetItem', 'UpdateItem'],
    DPOP: ['UpdateItem'],
    PROOF: ['GetItem', 'UpdateItem'],
    RATE: ['GetItem', 'UpdateItem'],
    USER: ['GetItem'],
  },
  uses: ['deploymentKey', 'deviceProof'],
};

/** Grants that the caller of a route adds to its own: what the authentication reads, and the record of what an operator does. */
export function callerGrants({
  auth,
  method,
  operatorScope,
}: {
  readonly auth: Auth;
  readonly method: string;
  readonly operatorScope?: string;
}): readonly Grants[] {
  const records = operatorScope !== undefined && method !== 'GET';
  return records ? [authGrants[auth], { table: { AUDIT: ['PutItem'] } }] : [authGrants[auth]];
}

export const authGrants: Readonly<Record<Auth, Grants>> = {
  none: {},
  device: { table: { DPOP: ['UpdateItem'] }, uses: ['deviceProof'] },
  proof: proofGrants,
  management: proofGrants,
  links: {
    table: {
      CLIENTSECRET: ['GetItem'],
      ACCESSTOKEN: ['GetItem'],
      USER: ['GetItem'],
      APP: ['GetItem'],
      RATE: ['UpdateItem'],
    },
  },
  application: {
    table: {
      CLIENTSECRET: ['GetItem'],
      APIKEY: ['GetItem'],
      OPERATORKEY: ['GetItem'],
      APP: ['GetItem'],
      RATE: ['UpdateItem'],
    },
  },
  seller: {
    table: {
      APIKEY: ['GetItem'],
      OPERATORKEY: ['GetItem'],
      APP: ['GetItem'],
      RATE: ['UpdateItem'],
    },
  },
  apiKey: { table: { APIKEY: ['GetItem'], RATE: ['UpdateItem'] } },
  operator: { table: { OPERATORKEY: ['GetItem'] } },
  anyOperator: { table: { OPERATORKEY: ['GetItem'] } },
};

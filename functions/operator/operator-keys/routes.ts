/** Routes of operator keys and audit records, apart from the others: their functions carry no other contract. */
import { defineRoutes } from '../../shared/contract/route.ts';
import { revocationSeconds } from '../../shared/contract/secret.ts';
import { CreatedKey, RevokedKey } from '../applications/schemas.ts';
import { AuditPath, History, HistoryQuery } from '../audit/schemas.ts';
import { CreateOperatorKeyRequest, OperatorKeyList, OperatorKeyPath } from './schemas.ts';

const operatorRoute = { auth: 'operator', operatorScope: 'admin' } as const;
const errors = { invalid: 'invalid_request', failed: 'server_error' } as const;

export const operatorKeyRoutes = defineRoutes({
  'operator-key-create': {
    method: 'POST',
    path: '/api/operator/keys',
    summary: 'Creates an operator key for a person, which is shown only once.',
    description: [
      'Each person has a key of their own, with the scopes that they need: decisions on links and audit records name them.',
      'The first key is created by `npm run operator -- bootstrap`.',
    ].join('\n'),
    ...operatorRoute,
    body: CreateOperatorKeyRequest,
    response: CreatedKey,
    status: 201,
    errors: { ...errors, also: ['invalid_token'] },
    grants: { table: { OPERATORKEY: ['PutItem'], OPERATOR: ['PutItem'], AUDIT: ['PutItem'] } },
  },
  'operator-key-list': {
    method: 'GET',
    path: '/api/operator/keys',
    summary: 'Lists the operator keys that have neither expired nor been revoked, oldest first.',
    description: 'Keys that were created before keys had names and scopes are not listed.',
    ...operatorRoute,
    response: OperatorKeyList,
    errors: { failed: 'server_error', also: ['invalid_token'] },
    grants: { table: { OPERATOR: ['Query'] } },
  },
  'operator-key-revoke': {
    method: 'DELETE',
    path: '/api/operator/keys/{keyId}',
    summary: `Revokes an operator key. It stops working within ${revocationSeconds} seconds.`,
    description:
      'A key can revoke itself. After the last one, `npm run operator -- bootstrap` creates another.',
    ...operatorRoute,
    params: OperatorKeyPath,
    response: RevokedKey,
    errors: { ...errors, also: ['invalid_token', 'not_found'] },
    grants: {
      table: { OPERATOR: ['GetItem', 'DeleteItem'], OPERATORKEY: ['DeleteItem'], AUDIT: ['PutItem'] },
    },
  },
  'audit-list': {
    method: 'GET',
    path: '/api/operator/audit/{id}',
    summary:
      'Lists what operators changed of an application, a subscription or an operator key, the latest first.',
    description: [
      'Each entry names the operator key, its person, the time and the address. The list is empty for an unknown id. Changes of',
      'users are in their own history.',
    ].join('\n'),
    ...operatorRoute,
    params: AuditPath,
    query: HistoryQuery,
    response: History,
    errors: { ...errors, also: ['invalid_token'] },
    grants: { table: { AUDIT: ['Query'] } },
  },
});
